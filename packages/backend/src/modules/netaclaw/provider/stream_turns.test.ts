import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { StreamTurns } from './stream_turns.js';

/** Every piece takes `cost` milliseconds of a clock that only they move. */
function pieces(budgetMs: number, cost: number) {
  let now = 0;
  const turns = new StreamTurns(budgetMs, () => now);
  const read: number[] = [];
  const take = (piece: number): void => {
    now += cost;
    read.push(piece);
  };
  const arrive = (piece: number): void => {
    if (turns.mayRead(() => take(piece))) take(piece);
  };
  return { read, arrive };
}

test('pieces that fit into the budget are read at once', () => {
  const { read, arrive } = pieces(10, 1);
  for (let piece = 0; piece < 10; piece += 1) arrive(piece);
  expect(read).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test('what is over the budget waits for later turns of the event loop, in order', async () => {
  const { read, arrive } = pieces(2, 1);
  for (let piece = 0; piece < 5; piece += 1) arrive(piece);
  expect(read).toEqual([0, 1]);
  await nextTurn();
  expect(read).toEqual([0, 1, 2, 3]);
  await nextTurn();
  expect(read).toEqual([0, 1, 2, 3, 4]);
});

test('a piece that comes while others wait is read after them', async () => {
  const { read, arrive } = pieces(1, 1);
  for (const piece of [0, 1, 2]) arrive(piece);
  await nextTurn();
  arrive(3);
  expect(read).toEqual([0, 1]);
  await nextTurn();
  await nextTurn();
  expect(read).toEqual([0, 1, 2, 3]);
});

test('a piece larger than the whole budget is read alone', async () => {
  const { read, arrive } = pieces(2, 50);
  arrive(0);
  arrive(1);
  expect(read).toEqual([0]);
  await nextTurn();
  expect(read).toEqual([0, 1]);
});
