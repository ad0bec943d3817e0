import type { RunEvent, RunEventBody } from '@netaclaw/contracts';
import { describe, expect, it } from 'vitest';
import { reasoningOf, timelineOf } from './timeline.js';

const startedAt = '2026-01-01T00:00:00.000Z';
const origin = Date.parse(startedAt);
const at = (milliseconds: number) => new Date(origin + milliseconds).toISOString();

const eventsOf = (...bodies: [number, RunEventBody][]): RunEvent[] =>
  bodies.map(([when, body], index) => ({
    ...body,
    at: at(when),
    seq: index + 1,
    runId: 'r',
    sessionId: 's',
  }));

const usage = { inputTokens: 10, outputTokens: 5, totalTokens: 15 };

describe('the timeline of a run', () => {
  it('puts model calls before their usage and tools where their results say', () => {
    const events = eventsOf(
      [300, { type: 'usage', ...usage, durationMs: 250 }],
      [310, { type: 'tool-call', id: 'a', name: 'bash', arguments: '{}' }],
      [311, { type: 'tool-call', id: 'b', name: 'todo', arguments: '{}' }],
      [
        510,
        { type: 'tool-result', id: 'a', name: 'bash', status: 'ok', durationMs: 200, preview: 'x' },
      ],
      [
        610,
        {
          type: 'tool-result',
          id: 'b',
          name: 'todo',
          status: 'error',
          durationMs: 90,
          preview: '',
        },
      ],
      [900, { type: 'usage', ...usage, durationMs: 280 }],
      [905, { type: 'run-end', status: 'completed' }],
    );
    const { steps, total } = timelineOf({ startedAt, endedAt: at(905), events, model: 'm' }, 0);
    expect(steps.map(({ kind, start, duration }) => [kind, start, duration])).toEqual([
      ['model', 50, 250],
      ['tool', 310, 200],
      ['tool', 520, 90],
      ['model', 620, 280],
    ]);
    expect(total).toBe(905);
  });

  it('lets a call without a result last until now', () => {
    const events = eventsOf([100, { type: 'tool-call', id: 'a', name: 'bash', arguments: '{}' }]);
    const { steps, total } = timelineOf(
      { startedAt, endedAt: null, events, model: 'm' },
      origin + 1100,
    );
    expect(steps).toMatchObject([{ kind: 'tool', status: null, start: 100, duration: 1000 }]);
    expect(total).toBe(1100);
  });

  it('tells which other model answered, and what were notes on older turns', () => {
    const events = eventsOf(
      [100, { type: 'usage', ...usage, durationMs: 10, model: 'm', purpose: 'summary' }],
      [200, { type: 'usage', ...usage, durationMs: 10, model: 'm' }],
      [300, { type: 'usage', ...usage, durationMs: 10, model: 'fallback' }],
      [400, { type: 'usage', ...usage, durationMs: 10 }],
    );
    const { steps } = timelineOf({ startedAt, endedAt: at(500), events, model: 'm' }, 0);
    expect(steps).toMatchObject([
      { number: 1, isSummary: true, otherModel: null },
      { number: 1, isSummary: false, otherModel: null },
      { number: 2, isSummary: false, otherModel: 'fallback' },
      { number: 3, isSummary: false, otherModel: null },
    ]);
  });

  it('shows a delegated run from its start to its end', () => {
    const events = eventsOf(
      [100, { type: 'delegate-start', toolCallId: 'a', childRunId: 'c', member: 'writer' }],
      [400, { type: 'delegate-end', childRunId: 'c', status: 'completed' }],
    );
    const { steps } = timelineOf({ startedAt, endedAt: at(500), events, model: 'm' }, 0);
    expect(steps).toMatchObject([{ member: 'writer', status: 'completed', duration: 300 }]);
  });

  it('has a length even for a run without events', () => {
    expect(timelineOf({ startedAt, endedAt: startedAt, events: [], model: 'm' }, 0)).toEqual({
      steps: [],
      total: 1,
    });
  });

  it('joins the reasoning', () => {
    const events = eventsOf(
      [1, { type: 'reasoning-delta', text: 'a ' }],
      [2, { type: 'text-delta', text: 'no' }],
      [3, { type: 'reasoning-delta', text: 'b' }],
    );
    expect(reasoningOf(events)).toBe('a b');
  });
});
