import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RunOutcome } from '../../runtime/agent_loop.js';
import { RunCancelled, RunTimedOut } from '../../runtime/run_ending.js';
import { LiveRun, type RunFollower } from './live_run.js';

const outcome: RunOutcome = {
  status: 'completed',
  error: null,
  reply: 'Done.',
  usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 },
  toolCalls: [],
};

const says = (text: string) => ({ type: 'text-delta', text }) as const;

/** A follower that keeps what it got. */
function reader(): RunFollower & { seen: number[]; ends: number } {
  return {
    seen: [],
    ends: 0,
    onEvent({ seq }) {
      this.seen.push(seq);
    },
    onEnd() {
      this.ends += 1;
    },
  };
}

let run: LiveRun;
beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-03-01T12:00:00Z') });
  run = new LiveRun('run', 'session', 5_000);
});
afterEach(() => {
  run.end(outcome);
  vi.useRealTimers();
});

describe('events', () => {
  it('are numbered from one without gaps and carry their time', () => {
    run.emit(says('a'));
    run.emit(says('b'));
    expect(run.events).toMatchObject([
      { seq: 1, type: 'text-delta' },
      { seq: 2, type: 'text-delta' },
    ]);
    expect(run.events.map(({ json }) => JSON.parse(json))).toEqual([
      { seq: 1, at: '2026-03-01T12:00:00.000Z', type: 'text-delta', text: 'a' },
      { seq: 2, at: '2026-03-01T12:00:00.000Z', type: 'text-delta', text: 'b' },
    ]);
  });

  it('of the start say which tools it began with', () => {
    const disabledReasons = [
      { name: 'bash', reason: 'global_disabled' as const, detail: 'Turned off.' },
    ];
    const start = { type: 'run-start', agent: 'a', model: 'm', rehearsal: false } as const;
    run.emit({ ...start, toolNames: ['todo'], disabledReasons });
    expect(run.tools).toMatchObject({ toolNames: ['todo'], disabledReasons });
  });
});

describe('a follower', () => {
  it('gets what has been, then what comes, nothing twice', () => {
    run.emit(says('a'));
    run.emit(says('b'));
    const follower = reader();
    run.follow(0, follower);
    expect(follower.seen).toEqual([1, 2]);
    run.emit(says('c'));
    expect(follower.seen).toEqual([1, 2, 3]);
  });

  it.each([
    [0, [1, 2, 3]],
    [1, [2, 3]],
    [2, [3]],
    [9, [3]],
  ])('that has seen up to %i gets %j', (after, seen) => {
    run.emit(says('a'));
    run.emit(says('b'));
    const follower = reader();
    run.follow(after, follower);
    run.emit(says('c'));
    expect(follower.seen).toEqual(seen);
  });

  it('gets nothing after it has gone, and the others do', () => {
    const gone = reader();
    const stays = reader();
    const leave = run.follow(0, gone);
    run.follow(0, stays);
    run.emit(says('a'));
    leave();
    run.emit(says('b'));
    run.end(outcome);
    expect([gone.seen, gone.ends]).toEqual([[1], 0]);
    expect([stays.seen, stays.ends]).toEqual([[1, 2], 1]);
  });

  it('is let go once when the run ends', () => {
    const follower = reader();
    run.follow(0, follower);
    run.end(outcome);
    run.end(outcome);
    expect(follower.ends).toBe(1);
  });

  it('that comes after the end gets everything and is let go at once', () => {
    run.emit(says('a'));
    run.end(outcome);
    const late = reader();
    run.follow(0, late);
    expect([late.seen, late.ends]).toEqual([[1], 1]);
  });
});

describe('the end', () => {
  it('tells its outcome', async () => {
    run.end(outcome);
    expect(await run.ended).toBe(outcome);
  });

  it('leaves no timer behind', () => {
    run.end(outcome);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('the signal', () => {
  it('says who stopped the run and why', () => {
    run.cancel('cancelled by the caller');
    expect(run.signal.reason).toBeInstanceOf(RunCancelled);
    expect(run.signal.reason).toMatchObject({ message: 'cancelled by the caller' });
  });

  it('says that the time is up, when it is', () => {
    vi.advanceTimersByTime(4_999);
    expect(run.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(run.signal.reason).toBeInstanceOf(RunTimedOut);
    expect(run.signal.reason).toMatchObject({
      message: 'The run took longer than 5 s and was stopped.',
    });
  });

  it('keeps the first reason', () => {
    run.cancel('first');
    vi.advanceTimersByTime(5_000);
    expect(run.signal.reason).toMatchObject({ message: 'first' });
  });
});
