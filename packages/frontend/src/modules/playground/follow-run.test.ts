import type { RunEvent } from '@netaclaw/contracts';
import { describe, expect, it } from 'vitest';
import { RequestFailure } from '../../failure.js';
import { followRun, type Following } from './follow-run.js';

const address = { runId: 'run', sessionId: 'session', at: '2026-01-01T00:00:00.000Z' };
const all: RunEvent[] = [
  {
    ...address,
    seq: 1,
    type: 'run-start',
    agent: 'demo',
    model: 'm',
    rehearsal: true,
    toolNames: [],
    disabledReasons: [],
  },
  { ...address, seq: 2, type: 'text-delta', text: 'Hel' },
  { ...address, seq: 3, type: 'text-delta', text: 'lo' },
  { ...address, seq: 4, type: 'run-end', status: 'completed' },
];

/** Some events of a connection that then ends, or breaks. */
async function* streamOf(events: readonly RunEvent[], breaks = false): AsyncGenerator<RunEvent> {
  yield* events;
  if (breaks) throw new RequestFailure('gone', { kind: 'network' });
}

async function heard(how: Pick<Following, 'start' | 'resume'> & { runId?: string }) {
  const seqs: number[] = [];
  const connections: boolean[] = [];
  await followRun({
    ...how,
    onEvent: ({ seq }) => seqs.push(seq),
    onConnection: (connected) => connections.push(connected),
    signal: new AbortController().signal,
    pause: async () => {},
  });
  return { seqs, connections };
}

// oxlint-disable-next-line require-yield -- a connection that is refused
async function* failing(error: Error): AsyncGenerator<RunEvent> {
  throw error;
}
const never = () => failing(new Error('not asked for'));

describe('followRun', () => {
  it('hears a run to its end', async () => {
    const { seqs } = await heard({ start: () => streamOf(all), resume: never });
    expect(seqs).toEqual([1, 2, 3, 4]);
  });

  it('goes on after the last event it has when the stream breaks', async () => {
    const asked: number[] = [];
    const { seqs, connections } = await heard({
      start: () => streamOf(all.slice(0, 2), true),
      resume: (_, seq) => {
        asked.push(seq);
        return streamOf(all.slice(seq));
      },
    });
    expect(asked).toEqual([2]);
    expect(seqs).toEqual([1, 2, 3, 4]);
    expect(connections.filter((connected, at) => connected !== connections[at - 1])).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('shows nothing twice when the server replays from the beginning', async () => {
    const { seqs } = await heard({
      start: () => streamOf(all.slice(0, 3)),
      resume: () => streamOf(all),
    });
    expect(seqs).toEqual([1, 2, 3, 4]);
  });

  it('begins again when the connection was lost before the run was known', async () => {
    let attempts = 0;
    const { seqs } = await heard({
      start: () => {
        attempts += 1;
        if (attempts < 3) return streamOf([], true);
        return streamOf(all);
      },
      resume: never,
    });
    expect(seqs).toEqual([1, 2, 3, 4]);
  });

  it('hears the end of a run whose process was lost, whatever its number', async () => {
    const end: RunEvent = { ...address, seq: 3, type: 'run-end', status: 'failed' };
    const { seqs } = await heard({
      start: () => streamOf(all.slice(0, 3)),
      resume: () => streamOf([end]),
    });
    expect(seqs).toEqual([1, 2, 3, 3]);
  });

  it('gives up when the server refuses', async () => {
    const refusal = new RequestFailure('there is no such agent', { kind: 'validation' });
    await expect(heard({ start: () => failing(refusal), resume: never })).rejects.toBe(refusal);
  });
});
