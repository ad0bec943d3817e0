import type { Message, RunEventBody } from '@netaclaw/contracts';
import { describe, expect, it } from 'vitest';
import { NetaClawRunEntity } from '../../entity/run.js';
import {
  eventsAfter,
  eventsOf,
  parseSnapshot,
  runDetailOf,
  runListItemOf,
  runOf,
} from './run_view.js';

const at = '2026-03-01T12:00:00.000Z';

/** Events as a run stores them. */
const stored = (...events: RunEventBody[]): string =>
  JSON.stringify(events.map((event, index) => ({ seq: index + 1, at, ...event })));

const messages: Message[] = [
  { role: 'user', content: 'Go.' },
  {
    role: 'assistant',
    content: 'I look.',
    toolCalls: [
      { id: 'a', name: 'bash', arguments: '{"command":"ls"}' },
      { id: 'b', name: 'todo', arguments: '{}' },
    ],
  },
  { role: 'tool', toolCallId: 'a', name: 'bash', content: 'x', status: 'ok' },
  { role: 'assistant', content: 'Done.' },
];

const rowOf = (fields: Partial<NetaClawRunEntity> = {}): NetaClawRunEntity =>
  Object.assign(new NetaClawRunEntity(), {
    id: 'run',
    sessionId: 'session',
    activeSessionId: null,
    parentRunId: null,
    crew: null,
    owner: 'user:1',
    actor: 'user:anna',
    agent: 'demo',
    source: 'rest',
    status: 'completed',
    cancelRequested: 0,
    error: null,
    model: 'gpt-x',
    inputTokens: 100,
    outputTokens: 20,
    toolCallCount: 2,
    messageCount: 4,
    snapshotHash: 'h',
    nodeId: 'n',
    startedAt: new Date(at),
    endedAt: new Date('2026-03-01T12:00:05.000Z'),
    messages: JSON.stringify(messages),
    layers: '[]',
    events: null,
    ...fields,
  } satisfies NetaClawRunEntity);

const layer = (key: 'identity' | 'context' | 'guidance' | 'runtime') => ({
  key,
  title: key,
  origin: 'platform' as const,
  content: `about ${key}`,
  tokens: 3,
});

const snapshot = parseSnapshot(
  JSON.stringify({
    toolNames: ['bash'],
    disabledReasons: [{ name: 'patch', reason: 'agent_disabled', detail: 'Turned off.' }],
    warnings: ['Careful.'],
    modelCapability: { value: 'vision', origin: 'channel' },
    layers: [layer('identity'), layer('guidance')],
  }),
);
const noSnapshot = parseSnapshot(undefined);

describe('a run', () => {
  it('is shown with the tools of its moment', () => {
    expect(runOf(rowOf(), snapshot)).toMatchObject({
      runId: 'run',
      sessionId: 'session',
      agent: 'demo',
      status: 'completed',
      error: null,
      model: 'gpt-x',
      usage: { inputTokens: 100, outputTokens: 20, totalTokens: 120 },
      toolNames: ['bash'],
      disabledReasons: [{ name: 'patch', reason: 'agent_disabled', detail: 'Turned off.' }],
      startedAt: at,
      endedAt: '2026-03-01T12:00:05.000Z',
    });
  });

  it('without a snapshot shows no tools', () => {
    expect(runOf(rowOf(), noSnapshot)).toMatchObject({ toolNames: [], disabledReasons: [] });
  });

  it('with a status that is none is refused', () => {
    const row = Object.assign(rowOf(), { status: 'nonsense' });
    expect(() => runOf(row, snapshot)).toThrow('Invalid option');
  });

  it('whose messages cannot be read is shown without them', () => {
    expect(runOf(rowOf({ messages: '[{"role":"x"}]' }), snapshot)).toMatchObject({
      reply: '',
      toolCalls: [],
    });
  });
});

describe('the reply', () => {
  const said: RunEventBody = { type: 'message', text: 'As it was told.' };
  const end: RunEventBody = { type: 'run-end', status: 'completed' };
  const asks = messages.slice(0, 3);

  it.each([
    ['the text of the event `message`', messages, stored(said, end), 'As it was told.'],
    ['nothing of a run that told none', messages, stored(end), ''],
    ['what was said last, as long as there are no events', messages, null, 'Done.'],
    ['nothing while a tool works', asks, null, ''],
    ['nothing when nothing was said', messages.slice(0, 1), null, ''],
  ])('is %s', (...[, list, events, reply]) => {
    const row = rowOf({ messages: JSON.stringify(list), events });
    expect(runOf(row, snapshot).reply).toBe(reply);
  });
});

describe('the tool calls', () => {
  it('have the status of their results, and `cancelled` where there is none', () => {
    expect(runOf(rowOf(), snapshot).toolCalls).toEqual([
      { id: 'a', name: 'bash', arguments: '{"command":"ls"}', status: 'ok', durationMs: 0 },
      { id: 'b', name: 'todo', arguments: '{}', status: 'cancelled', durationMs: 0 },
    ]);
  });

  it('have the durations of their events', () => {
    const result = { type: 'tool-result', name: 'bash', status: 'ok', preview: 'x' } as const;
    const events = stored({ ...result, id: 'a', durationMs: 42 });
    expect(runOf(rowOf({ events }), snapshot).toolCalls).toMatchObject([
      { id: 'a', durationMs: 42 },
      { id: 'b', durationMs: 0 },
    ]);
  });
});

describe('events', () => {
  it('are addressed, in order', () => {
    const events = stored(
      { type: 'text-delta', text: 'a' },
      { type: 'run-end', status: 'failed', error: 'Why.' },
    );
    expect(eventsOf(rowOf({ events }))).toEqual([
      { seq: 1, at, type: 'text-delta', text: 'a', runId: 'run', sessionId: 'session' },
      {
        seq: 2,
        at,
        type: 'run-end',
        status: 'failed',
        error: 'Why.',
        runId: 'run',
        sessionId: 'session',
      },
    ]);
  });

  it('are none while the run is under way', () => {
    expect(eventsOf(rowOf({ events: null }))).toEqual([]);
  });
});

describe('a run in detail', () => {
  it('has all layers of its prompt in their order', () => {
    const layers = JSON.stringify([layer('context'), layer('runtime')]);
    const detail = runDetailOf(rowOf({ layers, parentRunId: 'parent' }), snapshot, [
      rowOf({ id: 'child', parentRunId: 'run', crew: 'press' }),
    ]);
    expect(detail.layers.map(({ key }) => key)).toEqual([
      'identity',
      'context',
      'guidance',
      'runtime',
    ]);
    expect(detail).toMatchObject({
      runId: 'run',
      owner: 'user:anna',
      source: 'rest',
      parentRunId: 'parent',
      childRuns: [{ runId: 'child', parentRunId: 'run', crew: 'press' }],
      warnings: ['Careful.'],
      modelCapability: { value: 'vision', origin: 'channel' },
      events: [],
    });
  });
});

describe('a run in a list', () => {
  it('is a line without messages, prompt and events', () => {
    expect(runListItemOf(rowOf({ status: 'running', endedAt: null }))).toEqual({
      runId: 'run',
      sessionId: 'session',
      parentRunId: null,
      agent: 'demo',
      crew: null,
      owner: 'user:anna',
      source: 'rest',
      status: 'running',
      error: null,
      model: 'gpt-x',
      totalTokens: 120,
      toolCallCount: 2,
      startedAt: at,
      endedAt: null,
    });
  });
});

describe('events after a number', () => {
  const events = eventsOf({
    id: 'r',
    sessionId: 's',
    events: JSON.stringify([
      { seq: 1, at: '2026-01-01T00:00:00.000Z', type: 'text-delta', text: 'a' },
      { seq: 2, at: '2026-01-01T00:00:01.000Z', type: 'run-end', status: 'failed', error: 'lost' },
    ]),
  });

  it.each([
    { after: 0, seqs: [1, 2] },
    { after: 1, seqs: [2] },
    { after: 2, seqs: [] },
    { after: 9, seqs: [2] },
  ])('gives $seqs to a reader who has seen $after', ({ after, seqs }) => {
    expect(eventsAfter(events, after).map(({ seq }) => seq)).toEqual(seqs);
  });
});
