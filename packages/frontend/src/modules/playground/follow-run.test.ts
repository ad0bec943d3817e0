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

/** A stream of some events that then ends, or breaks. */
function streamOf(events: readonly RunEvent[], breaks = false): Response {
  const text = events
    .map((event) => `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('');
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(text));
      if (!breaks) controller.close();
    },
    pull(controller) {
      if (breaks) controller.error(new TypeError('network error'));
    },
  });
  return new Response(body);
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

const never = () => Promise.reject(new Error('not asked for'));

describe('followRun', () => {
  it('hears a run to its end', async () => {
    const { seqs } = await heard({ start: async () => streamOf(all), resume: never });
    expect(seqs).toEqual([1, 2, 3, 4]);
  });

  it('goes on after the last event it has when the stream breaks', async () => {
    const asked: number[] = [];
    const { seqs, connections } = await heard({
      start: async () => streamOf(all.slice(0, 2), true),
      resume: async (_, seq) => {
        asked.push(seq);
        return streamOf(all.slice(seq));
      },
    });
    expect(asked).toEqual([2]);
    expect(seqs).toEqual([1, 2, 3, 4]);
    expect(connections).toEqual([true, false, true]);
  });

  it('shows nothing twice when the server replays from the beginning', async () => {
    const { seqs } = await heard({
      start: async () => streamOf(all.slice(0, 3)),
      resume: async () => streamOf(all),
    });
    expect(seqs).toEqual([1, 2, 3, 4]);
  });

  it('begins again when the connection was lost before the run was known', async () => {
    let attempts = 0;
    const { seqs } = await heard({
      start: async () => {
        attempts += 1;
        if (attempts < 3) throw new RequestFailure('gone', { kind: 'network' });
        return streamOf(all);
      },
      resume: never,
    });
    expect(seqs).toEqual([1, 2, 3, 4]);
  });

  it('gives up when the server refuses', async () => {
    const refusal = new RequestFailure('there is no such agent', { kind: 'validation' });
    await expect(heard({ start: () => Promise.reject(refusal), resume: never })).rejects.toBe(
      refusal,
    );
  });
});
