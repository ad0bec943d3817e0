import { expect, it } from 'vitest';
import { runStepsOf, type RunTally } from './run_steps.js';

const tally = (hour: string, more: Partial<RunTally> = {}): RunTally => ({
  hour,
  status: 'completed',
  runs: 1,
  tokens: 10,
  ...more,
});
const window = { from: '2026-01-31T00:00:00Z', to: '2026-02-01T00:00:00Z', stepHours: 6 };

it('names every step of the window, with nothing where nothing ran', () => {
  expect(runStepsOf([], window)).toEqual(
    ['00', '06', '12', '18'].map((hour) => ({
      at: `2026-01-31T${hour}:00:00.000Z`,
      runs: 0,
      failed: 0,
      tokens: 0,
    })),
  );
});

it('adds the hours of a step up, and counts what failed', () => {
  const steps = runStepsOf(
    [
      tally('2026-01-31 06'),
      tally('2026-01-31 11', { runs: 3, tokens: 7 }),
      tally('2026-01-31 11', { status: 'failed', runs: 2, tokens: 0 }),
      tally('2026-01-31 12', { status: 'cancelled' }),
    ],
    window,
  );
  expect(steps.map(({ runs, failed, tokens }) => [runs, failed, tokens])).toEqual([
    [0, 0, 0],
    [6, 2, 17],
    [1, 0, 10],
    [0, 0, 0],
  ]);
});

it.each([
  ['2026-01-30 23', 0],
  ['2026-01-31 05', 0],
  ['2026-02-01 00', 3],
])('keeps the hour %s, cut by an edge of the window, in its step', (hour, index) => {
  expect(runStepsOf([tally(hour)], window).map(({ runs }) => runs)[index]).toBe(1);
});

it('gives an hour to the step with its middle when steps begin at half past', () => {
  const half = { from: '2026-01-31T18:30:00Z', to: '2026-02-01T18:30:00Z', stepHours: 12 };
  expect(runStepsOf([tally('2026-02-01 06')], half).map(({ runs }) => runs)).toEqual([0, 1]);
});

it('ends with a shorter step when the steps do not fill the window', () => {
  expect(runStepsOf([], { ...window, stepHours: 7 }).at(-1)?.at).toBe('2026-01-31T21:00:00.000Z');
});
