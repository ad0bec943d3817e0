import type { RunEventBody } from '@netaclaw/contracts';
import { expect, it } from 'vitest';
import { endedEvents } from './run_recovery.js';
import { storedEventsOf } from './run_view.js';

const at = '2026-03-01T12:00:00.000Z';
const call: RunEventBody = { type: 'tool-call', id: 'a', name: 'bash', arguments: '{}' };
const stored = (...events: object[]): string =>
  JSON.stringify(events.map((event, index) => ({ seq: index + 1, at, ...event })));

it('gives each open call a result and the run its end', () => {
  const result = { type: 'tool-result', name: 'bash', status: 'ok', durationMs: 3, preview: '' };
  const events = storedEventsOf({
    events: stored(call, { ...result, id: 'a' }, { ...call, id: 'b' }),
  });
  expect(endedEvents(events, 'The server stopped.').slice(3)).toMatchObject([
    { seq: 4, type: 'tool-result', id: 'b', status: 'cancelled' },
    { seq: 5, type: 'run-end', status: 'failed', error: 'The server stopped.' },
  ]);
});

it.each([
  ['an event with an absurd number', stored({ type: 'usage', inputTokens: 1e300 }, call)],
  ['an event of a later version', stored({ type: 'hologram' }, call)],
])('%s costs itself, not the run', (_claim, events) => {
  const read = storedEventsOf({ events });
  expect(read).toMatchObject([{ type: 'tool-call' }]);
  expect(endedEvents(read, 'x').at(-1)).toMatchObject({ seq: 4, type: 'run-end' });
});

it.each(['[{"seq":1,', 'null', '{}', '"text"'])('events that are no list: %s', (events) => {
  expect(storedEventsOf({ events })).toEqual([]);
});
