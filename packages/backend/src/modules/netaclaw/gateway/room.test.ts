import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { roomOf } from './room.js';

const listenersOf = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

it('a wait that found room leaves no listener behind', async () => {
  const { signal } = new AbortController();
  for (let wait = 0; wait < 20; wait += 1) {
    await roomOf({ whenRoom: (callback) => callback() }, signal);
  }
  const open = roomOf({ whenRoom: (callback) => setImmediate(callback) }, signal);
  expect(listenersOf(signal)).toBe(1);
  await open;
  expect(listenersOf(signal)).toBe(0);
});

it('a wait ends when nobody wants to know any more', async () => {
  const controller = new AbortController();
  const open = roomOf({ whenRoom: () => undefined }, controller.signal);
  controller.abort();
  await open;
  await roomOf({ whenRoom: () => undefined }, controller.signal);
  expect(listenersOf(controller.signal)).toBe(0);
});
