import type { FiguresBody, FiguresStep } from '@netaclaw/contracts';

const HOUR_MS = 3_600_000;

/** The runs of one hour that ended alike, as the database counts them. */
export interface RunTally {
  /** `2026-01-31 09`, in UTC. */
  hour: string;
  status: string;
  runs: number;
  tokens: number;
}

/**
 * Every step of a window, those without a run as well. Hours are the smallest grain: one that straddles
 * two steps belongs to the step in which its middle lies.
 */
export function runStepsOf(
  tallies: readonly RunTally[],
  { from, to, stepHours }: FiguresBody,
): FiguresStep[] {
  const start = Date.parse(from);
  const length = stepHours * HOUR_MS;
  const count = Math.ceil((Date.parse(to) - start) / length);
  const steps = Array.from({ length: count }, (_, index) => ({
    at: new Date(start + index * length).toISOString(),
    runs: 0,
    failed: 0,
    tokens: 0,
  }));
  for (const { hour, status, runs, tokens } of tallies) {
    const middle = Date.parse(`${hour.replace(' ', 'T')}:30:00Z`);
    const index = Math.floor((middle - start) / length);
    const step = steps[Math.min(Math.max(0, index), count - 1)];
    if (!step) continue;
    step.runs += runs;
    step.tokens += tokens;
    if (status === 'failed') step.failed += runs;
  }
  return steps;
}
