import type { RunEventBody } from '@netaclaw/contracts';
import { expect, it } from 'vitest';
import { fileIdsOf, sessionTurnOf } from './session_turn.js';

const row = { id: 'run', status: 'failed', error: 'It broke.', model: 'm' } as const;
const at = '2026-01-01T00:00:00.000Z';
const stored = (...events: RunEventBody[]): string =>
  JSON.stringify(events.map((event, index) => ({ ...event, at, seq: index + 1 })));

it('a turn tells its end, its times and its files', () => {
  const events = stored(
    {
      type: 'run-start',
      agent: 'a',
      model: 'm',
      rehearsal: true,
      toolNames: [],
      disabledReasons: [],
    },
    { type: 'tool-call', id: 'c1', name: 'bash', arguments: '{}' },
    { type: 'file', fileId: 'f', name: 'a.txt', size: 3, mime: 'text/plain', link: '/f' },
    { type: 'tool-result', id: 'c1', name: 'bash', status: 'ok', durationMs: 12, preview: '' },
  );
  expect(sessionTurnOf({ ...row, events })).toEqual({
    runId: 'run',
    status: 'failed',
    error: 'It broke.',
    model: 'm',
    rehearsal: true,
    durations: { c1: 12 },
    files: [{ fileId: 'f', name: 'a.txt', size: 3, after: 'c1' }],
  });
});

it('a turn whose events are gone still tells its end', () => {
  expect(sessionTurnOf({ ...row, events: null })).toMatchObject({
    status: 'failed',
    durations: {},
  });
});

it('the files of messages are named once each', () => {
  const message = {
    role: 'user' as const,
    content: [
      { type: 'text' as const, text: 'Look' },
      { type: 'image' as const, fileId: 'one' },
      { type: 'file' as const, fileId: 'two' },
      { type: 'image' as const, url: 'https://example.com/a.png' },
    ],
  };
  const page = [
    { runId: 'r', at, message },
    { runId: 'r', at, message },
  ];
  expect(fileIdsOf(page)).toEqual(['one', 'two']);
});
