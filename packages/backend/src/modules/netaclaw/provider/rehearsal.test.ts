import { expect, it } from 'vitest';
import type { ModelEvent, ModelRequest } from '../runtime/port.js';
import { createRehearsalModel } from './rehearsal.js';

const request: ModelRequest = {
  messages: [{ role: 'user', content: 'Hello' }],
  tools: [],
  stream: true,
};

async function play(given: ModelRequest, signal = new AbortController().signal) {
  const events: ModelEvent[] = [];
  for await (const event of createRehearsalModel().call(given, signal)) events.push(event);
  return events;
}

it('is labelled as a rehearsal', () => {
  expect(createRehearsalModel('demo')).toMatchObject({ name: 'demo', rehearsal: true });
});

it('streams its words, which add up to the answer', async () => {
  const events = await play(request);
  const deltas = events.flatMap((event) => (event.type === 'text-delta' ? [event.text] : []));
  expect(deltas.length).toBeGreaterThan(3);
  expect(events.at(-1)).toMatchObject({
    type: 'answer',
    answer: { message: { content: deltas.join('') } },
  });
});

it('answers whole when no stream is asked for', async () => {
  expect(await play({ ...request, stream: false })).toHaveLength(1);
});

it('stops with the signal’s reason', async () => {
  const reason = new Error('cancelled');
  await expect(play(request, AbortSignal.abort(reason))).rejects.toBe(reason);
});
