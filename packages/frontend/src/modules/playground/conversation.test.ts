import type { RunEvent, RunEventBody, SessionMessage } from '@netaclaw/contracts';
import { describe, expect, it } from 'vitest';
import { newTurn, turnsOf, withEvent } from './conversation.js';

const address = { runId: 'run', sessionId: 'session', at: '2026-01-01T00:00:00.000Z' };
const eventsOf = (...bodies: RunEventBody[]): RunEvent[] =>
  bodies.map((body, at) => ({ ...address, ...body, seq: at + 1 }));
const turnAfter = (...bodies: RunEventBody[]) =>
  eventsOf(...bodies).reduce(withEvent, newTurn('key', 'hello', []));

const call = { type: 'tool-call', id: 'c1', name: 'bash', arguments: '{}' } as const;
const result = {
  type: 'tool-result',
  id: 'c1',
  name: 'bash',
  status: 'ok',
  durationMs: 12,
  preview: 'done',
} as const;

describe('withEvent', () => {
  it('joins deltas and puts the final text in their place', () => {
    const turn = turnAfter(
      { type: 'text-delta', text: 'Hel' },
      { type: 'text-delta', text: 'lo' },
      { type: 'message', text: 'Hello.' },
    );
    expect(turn.items).toEqual([{ kind: 'text', text: 'Hello.' }]);
  });

  it('keeps a file that was sent, where it was sent', () => {
    const file = { fileId: 'f1', name: 'plan.pdf', size: 2048 };
    const turn = turnAfter(
      call,
      { type: 'file', ...file, mime: 'application/pdf', link: '/api/netaclaw/files/f1' },
      result,
      { type: 'text-delta', text: 'Here it' },
      { type: 'message', text: 'Here it is.' },
    );
    expect(turn.items).toMatchObject([
      { kind: 'tool', status: 'ok' },
      { kind: 'file', ...file },
      { kind: 'text', text: 'Here it is.' },
    ]);
  });

  it('keeps what was said before a tool', () => {
    const turn = turnAfter({ type: 'text-delta', text: 'Let me look.' }, call, result, {
      type: 'message',
      text: 'Done.',
    });
    expect(turn.items).toMatchObject([
      { text: 'Let me look.' },
      { status: 'ok' },
      { text: 'Done.' },
    ]);
  });

  it('shows a tool as running until its result is there', () => {
    expect(turnAfter(call).items[0]).toMatchObject({ status: 'running' });
    expect(turnAfter(call, result).items[0]).toMatchObject({ status: 'ok', durationMs: 12 });
  });

  it('ends with the status and the sentence of the run', () => {
    const turn = turnAfter({ type: 'run-end', status: 'failed', error: 'no model' });
    expect(turn).toMatchObject({ status: 'failed', error: 'no model' });
  });
});

describe('turnsOf', () => {
  it('makes one turn of the messages of one run', () => {
    const at = address.at;
    const messages: SessionMessage[] = [
      { runId: 'r', at, message: { role: 'user', content: 'list' } },
      { runId: 'r', at, message: { role: 'assistant', content: '', toolCalls: [call] } },
      {
        runId: 'r',
        at,
        message: { role: 'tool', toolCallId: 'c1', name: 'bash', content: 'a b', status: 'ok' },
      },
      { runId: 'r', at, message: { role: 'assistant', content: 'Two files.' } },
    ];
    const [turn, ...others] = turnsOf({ messages, turns: [], fileNames: {} });
    expect(others).toEqual([]);
    expect(turn).toMatchObject({ user: 'list', status: 'completed' });
    expect(turn?.items.map(({ kind }) => kind)).toEqual(['tool', 'text']);
  });

  it('tells how a turn ended, its times, its files and their names', () => {
    const at = address.at;
    const messages: SessionMessage[] = [
      {
        runId: 'r',
        at,
        message: { role: 'user', content: [{ type: 'file', fileId: 'f1' }] },
      },
      { runId: 'r', at, message: { role: 'assistant', content: '', toolCalls: [call] } },
    ];
    const facts = {
      runId: 'r',
      status: 'limit' as const,
      error: 'The limit of rounds was reached.',
      model: 'rehearsal',
      rehearsal: true,
      durations: { c1: 7 },
      files: [{ fileId: 'f2', name: 'made.txt', size: 3, after: 'c1' }],
    };
    const [turn] = turnsOf({ messages, turns: [facts], fileNames: { f1: 'sent.txt' } });
    expect(turn).toMatchObject({
      status: 'limit',
      error: 'The limit of rounds was reached.',
      rehearsal: true,
      files: ['sent.txt'],
      items: [
        { kind: 'tool', durationMs: 7 },
        { kind: 'file', name: 'made.txt' },
      ],
    });
  });
});
