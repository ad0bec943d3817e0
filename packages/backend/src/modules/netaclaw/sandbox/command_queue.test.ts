import { expect, it } from 'vitest';
import { CommandQueue } from './command_queue.js';

const never = new AbortController().signal;
const tick = () => new Promise((resolve) => setTimeout(resolve, 5));

it('runs no more than its number at once, in order of arrival', async () => {
  const queue = new CommandQueue(2);
  const begun: number[] = [];
  let running = 0;
  let most = 0;
  const job = (id: number) => async (): Promise<void> => {
    begun.push(id);
    most = Math.max(most, ++running);
    await tick();
    running -= 1;
  };
  await Promise.all([1, 2, 3, 4, 5].map((id) => queue.run(never, job(id))));
  expect(most).toBe(2);
  expect(begun).toEqual([1, 2, 3, 4, 5]);
});

it('gives its place back when the work fails', async () => {
  const queue = new CommandQueue(1);
  await expect(queue.run(never, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await queue.run(never, async () => 'next')).toBe('next');
});

it('lets one who is cancelled leave the line', async () => {
  const queue = new CommandQueue(1);
  const abort = new AbortController();
  const first = queue.run(never, tick);
  const second = queue.run(abort.signal, tick);
  const third = queue.run(never, async () => 'third');
  abort.abort(new Error('left'));
  await expect(second).rejects.toThrow('left');
  await first;
  expect(await third).toBe('third');
});
