import type { EndStatus, RunEventBody } from '@netaclaw/contracts';
import { expect, it } from 'vitest';
import { endedEvents, unfinishedWords } from './run_recovery.js';
import { storedEventsOf } from './run_view.js';

const at = '2026-03-01T12:00:00.000Z';
const call: RunEventBody = { type: 'tool-call', id: 'a', name: 'bash', arguments: '{}' };
const stored = (...events: object[]): string =>
  JSON.stringify(events.map((event, index) => ({ seq: index + 1, at, ...event })));

const lost = { error: 'x', memberEnds: new Map<string, EndStatus>() };

it('ends each member that its log shows at work as what it is', () => {
  const begun = (childRunId: string) => ({
    type: 'delegate-start',
    toolCallId: 'a',
    childRunId,
    member: 'ann',
  });
  const end = { type: 'delegate-end', childRunId: 'one', status: 'limit' };
  const events = storedEventsOf({
    events: stored(call, begun('one'), begun('two'), begun('three'), end),
  });
  const memberEnds = new Map<string, EndStatus>([['two', 'completed']]);
  expect(endedEvents(events, { error: 'x', memberEnds }).slice(5)).toMatchObject([
    { seq: 6, type: 'delegate-end', childRunId: 'two', status: 'completed' },
    { seq: 7, type: 'delegate-end', childRunId: 'three', status: 'failed' },
    { seq: 8, type: 'tool-result', id: 'a', status: 'error' },
    { seq: 9, type: 'run-end', status: 'failed' },
  ]);
});

it('gives each open call a result and the run its end', () => {
  const result = { type: 'tool-result', name: 'bash', status: 'ok', durationMs: 3, preview: '' };
  const events = storedEventsOf({
    events: stored(call, { ...result, id: 'a' }, { ...call, id: 'b' }),
  });
  expect(endedEvents(events, { ...lost, error: 'The server stopped.' }).slice(3)).toMatchObject([
    {
      seq: 4,
      type: 'tool-result',
      id: 'b',
      status: 'error',
      preview: expect.stringContaining('server'),
    },
    { seq: 5, type: 'run-end', status: 'failed', error: 'The server stopped.' },
  ]);
});

it.each([
  ['an event with an absurd number', stored({ type: 'usage', inputTokens: 1e300 }, call)],
  ['an event of a later version', stored({ type: 'hologram' }, call)],
])('%s costs itself, not the run', (_claim, events) => {
  const read = storedEventsOf({ events });
  expect(read).toMatchObject([{ type: 'tool-call' }]);
  expect(endedEvents(read, lost).at(-1)).toMatchObject({ seq: 4, type: 'run-end' });
});

it.each(['[{"seq":1,', 'null', '{}', '"text"'])('events that are no list: %s', (events) => {
  expect(storedEventsOf({ events })).toEqual([]);
});

const usage: RunEventBody = {
  type: 'usage',
  inputTokens: 1,
  outputTokens: 1,
  totalTokens: 2,
  durationMs: 1,
};
const said = (text: string): RunEventBody => ({ type: 'text-delta', text });

it.each([
  ['all that was said in the first call', [said('Hel'), said('lo')], 'Hello'],
  ['not what an earlier call said', [said('Old.'), usage, call, said('New')], 'New'],
  ['nothing while tools were at work', [said('I look.'), usage, call], ''],
])('keeps of unfinished words %s', (_claim, events, content) => {
  const kept = unfinishedWords(storedEventsOf({ events: stored(...events) }));
  expect(kept).toEqual(content === '' ? [] : [{ role: 'assistant', content }]);
});

it('ends a run that was cut off in its words with these as its reply', () => {
  const events = storedEventsOf({ events: stored(said('Half an ans')) });
  expect(endedEvents(events, lost).slice(1)).toMatchObject([
    { type: 'message', text: 'Half an ans' },
    { type: 'run-end', status: 'failed' },
  ]);
});
