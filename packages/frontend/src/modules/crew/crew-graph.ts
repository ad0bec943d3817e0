import type { CrewMember, RunDetail, RunStatus } from '@netaclaw/contracts';

/** How a member stands in one run of the crew. */
export interface MemberState {
  /** `idle`: it was given nothing. Otherwise as its newest run stands; `running` while any does. */
  state: 'idle' | RunStatus;
  /** Delegations to it. */
  count: number;
  /** Milliseconds of work, those of all its runs added up. */
  durationMs: number;
  /** Its newest run. */
  runId: string | null;
}

export const IDLE: MemberState = { state: 'idle', count: 0, durationMs: 0, runId: null };

/** A crew's master or member, as the graph draws it. */
export interface GraphPerson {
  /** `master`, or the member's name. */
  id: string;
  name: string;
  /** The tool that delegates to it; null: the master. */
  tool: string | null;
  x: number;
  y: number;
}

/** What a master and the events call a member: its alias, else its agent's name. */
export const memberNameOf = (
  { agentId, alias }: CrewMember,
  agentNames: ReadonlyMap<number, string>,
): string => alias ?? agentNames.get(agentId) ?? `#${agentId}`;

/** The tool of a member, as the server names it. */
export const delegateToolOf = (memberName: string): string =>
  `delegate_${memberName.replaceAll('-', '_')}`;

const IN_A_ROW = 4;
const WIDTH = 220;
const HEIGHT = 140;

/** The master above, its members in rows below. */
export function peopleOf(master: string, memberNames: readonly string[]): GraphPerson[] {
  const columns = Math.min(IN_A_ROW, Math.max(1, memberNames.length));
  const members = memberNames.map((name, at) => ({
    id: name,
    name,
    tool: delegateToolOf(name),
    x: (at % IN_A_ROW) * WIDTH,
    y: HEIGHT * (1 + Math.floor(at / IN_A_ROW)),
  }));
  const middle = ((columns - 1) * WIDTH) / 2;
  return [{ id: 'master', name: master, tool: null, x: middle, y: 0 }, ...members];
}

/** How every member that was given something stands in a run, by its name. */
export function memberStates(run: RunDetail, now: number): Map<string, MemberState> {
  const children = new Map(run.childRuns.map((child) => [child.runId, child]));
  const states = new Map<string, MemberState>();
  for (const event of run.events) {
    if (event.type !== 'delegate-start') continue;
    const child = children.get(event.childRunId);
    const before = states.get(event.member) ?? IDLE;
    const status = child?.status ?? 'running';
    const from = Date.parse(child?.startedAt ?? event.at);
    const until = child?.endedAt ? Date.parse(child.endedAt) : now;
    states.set(event.member, {
      state: before.state === 'running' ? 'running' : status,
      count: before.count + 1,
      durationMs: before.durationMs + Math.max(0, until - from),
      runId: event.childRunId,
    });
  }
  return states;
}
