import { mount } from '@vue/test-utils';
import { beforeAll, expect, it } from 'vitest';
import { RequestFailure } from '../failure.js';
import { i18n, useLocale } from '../i18n/index.js';
import ErrorPanel from './error-panel.vue';

beforeAll(() => useLocale('en'));

const problem = (path: string) => ({ path, message: `wrong ${path}` });
const textOf = (message: string, details: unknown) =>
  mount(ErrorPanel, {
    props: { failure: new RequestFailure(message, { kind: 'validation', details }) },
    global: { plugins: [i18n] },
  }).text();
const times = (text: string, part: string) => text.split(part).length - 1;

it.each([
  ['one problem', 'name: wrong name', [problem('name')], ['wrong name']],
  [
    'several problems',
    'name: wrong name; sort: wrong sort',
    [problem('name'), problem('sort')],
    ['wrong name', 'wrong sort'],
  ],
  ['a problem beside the sentence', 'refused', [problem('name')], ['refused', 'wrong name']],
])('says each sentence of %s once', (...[, message, details, sentences]) => {
  const text = textOf(message, details);
  expect(sentences.map((sentence) => times(text, sentence))).toEqual(sentences.map(() => 1));
});
