import type { ChatBody, EndStatus } from '@netaclaw/contracts';
import pLimit from 'p-limit';
import { DomainError } from '../../../base/error.js';
import { delegatedContext } from '../../runtime/crew/delegated_context.js';
import { RepeatWatch } from '../../runtime/crew/delegation_limits.js';
import { memberReport } from '../../runtime/crew/member_report.js';
import type { ToolCallContext, ToolOutput } from '../../runtime/port.js';
import { failed } from '../../tools/common.js';
import type { DelegatedTask } from '../../tools/source.js';
import type { LiveRun } from '../run/live_run.js';
import type { Turn, TurnRequest } from '../run/turn.js';
import type { LoadedMember, NetaClawCrewDirectoryService, SeatName } from './crew_directory.js';

/** Kept of a master's time, so that it can still say what it has when its members run out of theirs. */
const RESERVE_SHARE = 0.1;
const MAX_RESERVE_MS = 10_000;

/** What a delegation needs of the run that delegates. */
export interface DelegationFacts {
  turn: Turn;
  /** The crew that the run leads. */
  crew: string;
  live: LiveRun;
  maxParallel: number;
  /** When the run must be over, in milliseconds since 1970. */
  deadline: number;
  directory: NetaClawCrewDirectoryService;
  /** Begins a member's run: the way that every run begins. */
  start(request: TurnRequest): Promise<{ runId: string; live: LiveRun | null }>;
}

/** What a master's run gives its members to do, and what becomes of it. One for a run. */
export class Delegation {
  private readonly limit: ReturnType<typeof pLimit>;
  private readonly repeats = new RepeatWatch();
  private readonly pending = new Set<Promise<unknown>>();

  constructor(private readonly facts: DelegationFacts) {
    this.limit = pLimit(facts.maxParallel);
  }

  /** Runs a member when there is room; answers its report, or why there is none. */
  async delegate(task: DelegatedTask, call: ToolCallContext): Promise<ToolOutput> {
    if (this.repeats.isRepeat(task)) return failed(repeated(task.member));
    const running = this.limit(() => this.run(task, call));
    this.pending.add(running);
    try {
      return await running;
    } finally {
      this.pending.delete(running);
    }
  }

  /** Resolves when every member's run has ended and is stored; at the end of a run they are all being stopped. */
  async settled(): Promise<void> {
    while (this.pending.size > 0) await Promise.allSettled(this.pending);
  }

  private async run(task: DelegatedTask, call: ToolCallContext): Promise<ToolOutput> {
    const { member: name } = task;
    if (call.signal.aborted) return failed(`${name} was not begun: the run was stopped.`);
    const { tree } = this.facts.turn;
    if (!tree.take()) {
      return failed(`${name} was not begun: ${tree.atMost} delegations in one turn are the limit.`);
    }
    try {
      const { runId, live } = await this.facts.start(await this.requestFor(task));
      if (live === null) return failed(`The run of ${name} was begun elsewhere.`);
      return await this.follow({ name, runId, live }, call);
    } catch (error) {
      if (error instanceof DomainError) return failed(`${name} was not begun: ${error.message}`);
      throw error;
    }
  }

  /** Waits for a member's run and stops it when it is not wanted any more. Nothing is told after the run's own end. */
  private async follow(
    { name, runId, live }: { name: string; runId: string; live: LiveRun },
    { callId, signal }: ToolCallContext,
  ): Promise<ToolOutput> {
    const { emit } = this;
    let isTold = true;
    const tell = (status: EndStatus): void => {
      if (!isTold) emit({ type: 'delegate-end', childRunId: runId, status });
      isTold = true;
    };
    const stop = (): void => {
      live.cancel('the run that delegated to it was stopped');
      tell('cancelled');
    };
    if (signal.aborted) stop();
    else {
      emit({ type: 'delegate-start', toolCallId: callId, childRunId: runId, member: name });
      isTold = false;
    }
    signal.addEventListener('abort', stop, { once: true });
    const { status, error, reply } = await live.ended;
    signal.removeEventListener('abort', stop);
    tell(status);
    return memberReport({ member: name, runId, status, error, reply });
  }

  private readonly emit: LiveRun['emit'] = (event) => this.facts.live.emit(event);

  private async requestFor(task: DelegatedTask): Promise<TurnRequest> {
    const { turn, deadline } = this.facts;
    const member = await this.member(task.member);
    const seat = await this.seatOf(member);
    const left = deadline - Date.now();
    const timeLeftMs = Math.max(1, left - Math.min(MAX_RESERVE_MS, left * RESERVE_SHARE));
    const body: ChatBody = {
      agent: member.agentName,
      message: task.task,
      stream: turn.request.body.stream,
      denyTools: turn.request.body.denyTools,
    };
    return {
      body,
      actor: turn.request.actor,
      source: 'crew',
      executionContext: delegatedContext({
        crew: this.facts.crew,
        member: member.name,
        parentRunId: turn.runId,
        parentTask: textOf(turn),
        context: task.context,
        expectedOutput: task.expectedOutput,
        timeLeftMs,
        leads: seat.role === 'master',
      }),
      parent: {
        runId: turn.runId,
        sessionId: turn.sessionId,
        seat,
        deadline: Date.now() + timeLeftMs,
        depthLeft: turn.depthLeft - 1,
        tree: turn.tree,
      },
    };
  }

  /** As the crew is now: it may have changed since the tool was offered. */
  private async member(name: string): Promise<LoadedMember> {
    const crew = await this.facts.directory.byName(this.facts.crew);
    const member = crew?.members.find((each) => each.name === name);
    if (member) return member;
    throw new DomainError('conflict', `${name} is no member of the crew ${this.facts.crew} now`);
  }

  /** A member that leads a crew of its own sits as that one's master while the depth allows it. */
  private async seatOf({ agentId }: LoadedMember): Promise<SeatName> {
    const { turn, directory, crew } = this.facts;
    const own = turn.depthLeft > 1 ? await directory.ledBy(agentId) : null;
    return own ? { crew: own.name, role: 'master' } : { crew, role: 'sub' };
  }
}

const repeated = (member: string): string =>
  `Not delegated: ${member} was given this very task, with the same context, twice already in this run, and its results stand above. ` +
  'Use them, change the task, or do without.';

function textOf({ request: { body } }: Turn): string {
  if (typeof body.message === 'string') return body.message;
  return body.message
    .map((part) => (part.type === 'text' ? part.text : `[${part.type}]`))
    .join('\n');
}
