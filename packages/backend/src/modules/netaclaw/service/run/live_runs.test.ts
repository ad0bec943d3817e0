import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { RunOutcome } from '../../runtime/agent_loop.js';
import { LiveRun } from './live_run.js';
import { NetaClawLiveRunsService } from './live_runs.js';

const outcome: RunOutcome = {
  status: 'cancelled',
  error: null,
  reply: '',
  usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 },
  toolCalls: [],
};

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const runsOf = (...runs: LiveRun[]): NetaClawLiveRunsService => {
  const service = new NetaClawLiveRunsService();
  for (const run of runs) service.add(run);
  return service;
};
const runOf = (id: string) => new LiveRun(id, 'session', 1_000_000);

it('keeps a run until it has ended', async () => {
  const run = runOf('a');
  const runs = runsOf(run);
  expect([runs.get('a'), runs.ids(), runs.size]).toEqual([run, ['a'], 1]);
  run.end(outcome);
  await run.ended;
  expect([runs.get('a'), runs.ids(), runs.size]).toEqual([undefined, [], 0]);
});

it('lets running turns finish before it cancels what is left, and refuses new ones meanwhile', async () => {
  const quick = runOf('quick');
  const slow = runOf('slow');
  slow.signal.addEventListener('abort', () => setTimeout(() => slow.end(outcome), 100));
  const runs = runsOf(quick, slow);
  expect(() => runs.refuseWhenStopping()).not.toThrow();
  setTimeout(() => quick.end(outcome), 500);

  const drained = runs.drain(1_000);
  expect(() => runs.refuseWhenStopping()).toThrow(expect.objectContaining({ kind: 'notReady' }));
  await vi.advanceTimersByTimeAsync(999);
  expect([quick.signal.aborted, slow.signal.aborted]).toEqual([false, false]);
  await vi.advanceTimersByTimeAsync(101);
  await drained;
  expect([quick.signal.aborted, slow.signal.aborted]).toEqual([false, true]);
  expect(runs.size).toBe(0);
});

it('does not wait for ever for a run that cannot be stopped', async () => {
  const runs = runsOf(runOf('stuck'));
  let isDrained = false;
  const drained = runs.drain(1_000).then(() => (isDrained = true));
  await vi.advanceTimersByTimeAsync(5_999);
  expect(isDrained).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await drained;
  expect(runs.ids()).toEqual(['stuck']);
});

it('is drained at once when nothing runs', async () => {
  await runsOf().drain(1_000_000);
  expect(vi.getTimerCount()).toBe(0);
});
