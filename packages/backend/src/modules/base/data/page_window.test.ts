import { expect, it } from 'vitest';
import { windowOf } from './page_query.js';

it.each([
  ['the first page', { page: 1, size: 20, total: 100 }, { offset: 0, limit: 20, backwards: false }],
  ['the middle', { page: 3, size: 20, total: 100 }, { offset: 40, limit: 20, backwards: false }],
  [
    'the second half',
    { page: 4, size: 20, total: 100 },
    { offset: 20, limit: 20, backwards: true },
  ],
  [
    'a last page that is not full',
    { page: 6, size: 20, total: 101 },
    { offset: 0, limit: 1, backwards: true },
  ],
  ['one page', { page: 1, size: 20, total: 3 }, { offset: 0, limit: 3, backwards: false }],
])('reads %s from the nearer end', (_, asked, expected) => {
  expect(windowOf(asked)).toEqual(expected);
});

it('reads nothing beyond the last page, and nothing where there is nothing', () => {
  expect(windowOf({ page: 9, size: 20, total: 100 }).limit).toBe(0);
  expect(windowOf({ page: 1, size: 20, total: 0 }).limit).toBe(0);
});
