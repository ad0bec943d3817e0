import { expect, it } from 'vitest';
import { wellFormedJson } from './well_formed_json.js';

it.each([
  ['the first half', 'lone \ud83d surrogate', 'lone \ufffd surrogate'],
  ['the second half', '\ude00 x', '\ufffd x'],
  ['halves in the wrong order', '\ude00\ud83d', '\ufffd\ufffd'],
  ['many', '\ud83d\ud83d\ud83d', '\ufffd\ufffd\ufffd'],
  ['a half behind a backslash', 'a\\\ud83d', 'a\\\ufffd'],
  ['a whole one', '😀', '😀'],
  ['a text that spells an escape', '\\ud83d and \\\\ud83d', '\\ud83d and \\\\ud83d'],
])('%s', (_what, text, sent) => {
  expect(JSON.parse(wellFormedJson(JSON.stringify({ text })))).toEqual({ text: sent });
});

it('leaves an escaped pair as it is', () => {
  expect(wellFormedJson(String.raw`"\uD83D\uDE00"`)).toBe(String.raw`"\uD83D\uDE00"`);
});
