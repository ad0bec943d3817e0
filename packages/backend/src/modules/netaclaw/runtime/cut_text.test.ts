import { expect, it } from 'vitest';
import { cutText } from './cut_text.js';

it.each([
  ['abc', 2, 'ab'],
  ['abc', 5, 'abc'],
  ['a😀b', 2, 'a'],
  ['a😀b', 3, 'a😀'],
  ['😀', 0, ''],
  ['a\ud83d', 2, 'a\ud83d'],
])('%j to %i: %j', (text, length, cut) => {
  expect(cutText(text, length)).toBe(cut);
});
