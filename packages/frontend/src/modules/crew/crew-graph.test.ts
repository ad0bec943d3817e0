import type { RunDetail, RunEventBody, RunListItem, RunStatus } from '@netaclaw/contracts';
import { describe, expect, it } from 'vitest';
import { moved, withMember } from './crew-draft.js';
import { delegateToolOf, memberNameOf, memberStates, peopleOf } from './crew-graph.js';

const time = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const child = (
  runId: string,
  status: RunStatus,
  seconds: [number, number | null],
): RunListItem => ({
  runId,
  sessionId: 's',
  parentRunId: 'r',
  agent: 'a',
  crew: 'press',
  owner: 'user:admin',
  source: 'crew',
  status,
  error: null,
  model: 'm',
  totalTokens: 1,
  toolCallCount: 0,
  startedAt: time(seconds[0]),
  endedAt: seconds[1] === null ? null : time(seconds[1]),
});
const start = (member: string, childRunId: string): RunEventBody => ({
  type: 'delegate-start',
  toolCallId: 'c',
  childRunId,
  member,
});
function run(bodies: RunEventBody[], childRuns: RunListItem[]): RunDetail {
  const events = bodies.map((body, at) => ({
    ...body,
    seq: at + 1,
    at: time(at),
    runId: 'r',
    sessionId: 's',
  }));
  return {
    runId: 'r',
    sessionId: 's',
    parentRunId: null,
    agent: 'chief',
    crew: 'press',
    owner: 'user:admin',
    source: 'rest',
    status: 'running',
    error: null,
    model: 'm',
    reply: '',
    toolCalls: [],
    usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 },
    toolNames: [],
    disabledReasons: [],
    warnings: [],
    modelCapability: { value: 'text', origin: 'fallback' },
    skills: { active: [], hidden: [] },
    startedAt: time(0),
    endedAt: null,
    layers: [],
    childRuns,
    events,
  };
}

describe('memberStates', () => {
  it('says of each member how it stands, how often and how long it worked', () => {
    const states = memberStates(
      run(
        [start('ann', '1'), start('bob', '2'), start('ann', '3'), start('cid', '4')],
        [
          child('1', 'completed', [0, 4]),
          child('2', 'failed', [1, 2]),
          child('3', 'running', [5, null]),
          child('4', 'cancelled', [5, 6]),
        ],
      ),
      Date.parse(time(8)),
    );
    expect(Object.fromEntries(states)).toEqual({
      ann: { state: 'running', count: 2, durationMs: 7000, runId: '3' },
      bob: { state: 'failed', count: 1, durationMs: 1000, runId: '2' },
      cid: { state: 'cancelled', count: 1, durationMs: 1000, runId: '4' },
    });
  });

  it('takes a delegation whose run is not listed yet for running', () => {
    const states = memberStates(run([start('ann', '1')], []), Date.parse(time(3)));
    expect(states.get('ann')).toMatchObject({ state: 'running', count: 1 });
  });
});

describe('the graph', () => {
  it('has the master above the middle of the first row', () => {
    const [master, ...members] = peopleOf('chief', ['a', 'b', 'c', 'd', 'e']);
    expect(master).toMatchObject({ id: 'master', x: 330, y: 0, tool: null });
    expect(members.map(({ x, y }) => [x, y])).toEqual([
      [0, 140],
      [220, 140],
      [440, 140],
      [660, 140],
      [0, 280],
    ]);
  });

  it('names members and their tools as the server does', () => {
    const names = new Map([[1, 'code-reviewer']]);
    expect(memberNameOf({ agentId: 1 }, names)).toBe('code-reviewer');
    expect(memberNameOf({ agentId: 1, alias: 'eye' }, names)).toBe('eye');
    expect(delegateToolOf('code-reviewer')).toBe('delegate_code_reviewer');
  });
});

describe('the members', () => {
  const members = [{ agentId: 1, alias: 'a' }, { agentId: 2 }];

  it('are changed, and an empty text is none', () => {
    expect(withMember(members, 0, { alias: '', description: 'Writes.' })).toEqual([
      { agentId: 1, description: 'Writes.' },
      { agentId: 2 },
    ]);
  });

  it('are moved as far as there is a place', () => {
    expect(moved(members, 0, 1)).toEqual([members[1], members[0]]);
    expect(moved(members, 0, -1)).toEqual(members);
  });
});
