import { mount } from '@vue/test-utils';
import { createPinia } from 'pinia';
import { beforeAll, expect, it } from 'vitest';
import { i18n, useLocale } from '../../../i18n/index.js';
import SignInForm from './sign-in-form.vue';

beforeAll(() => useLocale('en'));

it.each([
  ['in the middle of a form, as nobody else', 'anna', true],
  ['afresh, as anybody', '', false],
])('signs in %s', (_, username, isHeld) => {
  const form = mount(SignInForm, {
    props: { username },
    global: { plugins: [i18n, createPinia()] },
  });
  const name = form.get<HTMLInputElement>('[name="username"]').element;
  expect([name.value, name.readOnly]).toEqual([username, isHeld]);
});
