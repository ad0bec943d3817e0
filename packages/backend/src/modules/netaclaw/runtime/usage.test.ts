import { expect, it } from 'vitest';
import { addUsage, NO_USAGE, readTokens, readUsageOf } from './usage.js';

it.each([
  [12, 12],
  [12.4, 12],
  [0, 0],
  [-5, 0],
  [1e300, 100_000_000],
  [Number.POSITIVE_INFINITY, 100_000_000],
  [Number.NaN, 0],
  ['12', 0],
  [null, 0],
  [undefined, 0],
])('reads %s as %s tokens', (said, tokens) => {
  expect(readTokens(said)).toBe(tokens);
});

it.each([
  [[10, 5, 15], 15],
  [[10, 5, undefined], 15],
  [[10, 5, -1], 15],
  [[10, 5, 20], 20],
])('of %j the total is %i', ([input, output, total], tokens) => {
  expect(readUsageOf(input, output, total).totalTokens).toBe(tokens);
});

it('a sum stays what a column holds', () => {
  const most = readUsageOf(1e12, 1e12);
  let sum = NO_USAGE;
  for (let call = 0; call < 50; call += 1) sum = addUsage(sum, most);
  expect(sum).toEqual({
    inputTokens: 2_147_483_647,
    outputTokens: 2_147_483_647,
    totalTokens: 2_147_483_647,
  });
});
