import { expect, it } from 'vitest';
import { secretMasker } from './mask_secrets.js';

const key = 'my+very/secret"key';
const mask = secretMasker([key, 'eu']);

it('removes a secret as it is, in a URL and in JSON', () => {
  const spelled = [key, encodeURIComponent(key), JSON.stringify(key)].join(' ');
  expect(mask(`bad key: ${spelled}`)).toBe('bad key: *** *** "***"');
});

it.each([
  'sk-proj-abcDEF123456_7890-xyz',
  'sk-abc***xyz',
  'gsk_abcdefghijklmnop1234',
  'Bearer abc.def-ghi',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abcdef',
  '0123456789abcdef0123456789abcdef',
])('removes %s, whoever it belongs to', (secret) => {
  expect(mask(`got <${secret}>`)).toBe('got <***>');
});

it('leaves words and short values alone', () => {
  const sentence = 'The model gpt-5 in region eu has no task-force of 1234567890.';
  expect(mask(sentence)).toBe(sentence);
});
