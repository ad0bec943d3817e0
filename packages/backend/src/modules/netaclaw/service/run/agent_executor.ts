import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { Audit } from '../../../base/audit/audit.js';
import { actorLabel } from '../../../base/auth/actor.js';
import { logger } from '../../../base/log/logger.js';
import { runAgent, type AgentRun, type RunOutcome } from '../../runtime/agent_loop.js';
import { addUsage } from '../../runtime/usage.js';
import type { Delegate } from '../../tools/source.js';
import { NetaClawConversationSummaryService, type Conversation } from './conversation_summary.js';
import { LiveRun } from './live_run.js';
import { NetaClawLiveRunsService } from './live_runs.js';
import { NetaClawMetricsService } from '../server/metrics.js';
import { toolCallEntries } from './call_audit.js';
import { NetaClawCrewDirectoryService } from '../crew/crew_directory.js';
import { Delegation } from '../crew/delegation.js';
import { NetaClawMemoryService } from '../memory/memory.js';
import { ownLayers } from './prompt_layers.js';
import { NetaClawRunContextService } from './run_context.js';
import { NetaClawRunStoreService, type FinishedRun } from './run_store.js';
import { NetaClawSandboxSkillsService } from '../computer/skill_releases.js';
import { NetaClawRunFilesService } from '../file/run_files.js';
import { NetaClawSandboxPoolService } from '../computer/sandbox_pool.js';
import { NetaClawSessionTouchService } from '../session/session_touch.js';
import { titleOf } from '../session/session_title.js';
import { NetaClawTurnService, type Turn, type TurnRequest } from './turn.js';
import { requestMark } from './request_digest.js';
import { contextBudgetOf } from './context_budget.js';
import { unstored } from './unstored.js';
import { sessionFactsOf, spillTo } from './turn_parts.js';

const DEFAULT_TOOL_ITERATIONS = 30;
/** How often a long run is stored while it is under way. */
const PROGRESS_MS = 1_000;
const STORE_AGAIN_MS = 1_000;

/** A turn that has begun. `live` is null for a joined one that runs on another node or has ended. */
export interface StartedRun {
  runId: string;
  live: LiveRun | null;
}

/** One turn of an agent: context, loop, stored messages and events. The same for every path. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class NetaClawAgentExecutorService {
  @Inject() turns: NetaClawTurnService;
  @Inject() contexts: NetaClawRunContextService;
  @Inject() store: NetaClawRunStoreService;
  @Inject() liveRuns: NetaClawLiveRunsService;
  @Inject() computers: NetaClawSandboxPoolService;
  @Inject() touches: NetaClawSessionTouchService;
  @Inject() metrics: NetaClawMetricsService;
  @Inject() summaries: NetaClawConversationSummaryService;
  @Inject() crews: NetaClawCrewDirectoryService;
  @Inject() memories: NetaClawMemoryService;
  @Inject() runFiles: NetaClawRunFilesService;
  @Inject() sandboxSkills: NetaClawSandboxSkillsService;
  @Inject() audit: Audit;

  /**
   * Begins a turn and answers as soon as it is stored; the turn goes on by itself, whether or not
   * anybody listens. Throws `DomainError` for what starts no run.
   */
  async start(request: TurnRequest): Promise<StartedRun> {
    // A run that may still end may still have its members work for it.
    if (!request.parent) this.liveRuns.refuseWhenStopping();
    const turn = await this.turns.prepare(request);
    const joined = await this.begin(turn);
    if (joined !== null) return { runId: joined, live: this.liveRuns.get(joined) ?? null };
    const live = new LiveRun(turn.runId, turn.sessionId, turn.timeoutMs);
    this.liveRuns.add(live);
    void this.execute(turn, live);
    return { runId: turn.runId, live };
  }

  private async begin(turn: Turn): Promise<string | null> {
    const { request, context, channel } = turn;
    const { body, actor, source } = request;
    const { joined } = await this.store.begin({
      id: turn.runId,
      sessionId: turn.sessionId,
      newSession: body.sessionId
        ? null
        : { title: titleOf(body.message), memory: turn.memory.kept },
      parentRunId: request.parent?.runId ?? null,
      crew: turn.seat?.crew.name ?? null,
      owner: turn.owner,
      actor: actorLabel(actor),
      request: requestMark(body, request.asked),
      agent: turn.agent.name,
      source,
      model: channel.model.name,
      snapshot: context,
      messages: [turn.stored],
      layers: ownLayers({
        session: sessionFactsOf(turn),
        executionContext: request.executionContext ?? null,
        memory: turn.memory.section,
        now: turn.startedAt,
      }),
      startedAt: turn.startedAt,
    });
    return joined;
  }

  private async execute(turn: Turn, live: LiveRun): Promise<void> {
    const { resolved } = turn.context;
    live.emit({
      type: 'run-start',
      agent: turn.agent.name,
      model: turn.channel.model.name,
      rehearsal: turn.channel.model.rehearsal,
      toolNames: [...resolved.toolNames],
      disabledReasons: [...resolved.disabledReasons],
    });
    const conversation = await this.summaries.conversationOf(turn, live);
    const delegation = this.delegationOf(turn, live);
    const run = this.agentRun(turn, live, { conversation, delegation });
    const progress = setInterval(() => this.saveProgress({ turn, run, live }), PROGRESS_MS);
    const looped = await runAgent(run, (event) => live.emit(event));
    clearInterval(progress);
    await delegation?.settled();
    const outcome = { ...looped, usage: addUsage(looped.usage, conversation.usage) };
    await this.finish({ turn, run, live, outcome });
  }

  /** What a crew's master gives to its members; null for all others. */
  private delegationOf(turn: Turn, live: LiveRun): Delegation | null {
    const { seat, startedAt, timeoutMs } = turn;
    if (seat?.role !== 'master') return null;
    return new Delegation({
      turn,
      live,
      crew: seat.crew.name,
      maxParallel: seat.crew.maxParallel,
      deadline: startedAt.getTime() + timeoutMs,
      directory: this.crews,
      start: (request) => this.start(request),
    });
  }

  private agentRun(turn: Turn, live: LiveRun, { conversation, delegation }: Own): AgentRun {
    const { agent, channel, sessionId, request, seat, startedAt } = turn;
    const delegate: Delegate | null =
      delegation && ((task, call) => delegation.delegate(task, call));
    const computer = (signal: AbortSignal) => this.computers.computer(sessionId, agent, signal);
    return {
      model: channel.model,
      setup: this.contexts.setupFor(agent.name, turn.caller, {
        session: sessionFactsOf(turn),
        executionContext: request.executionContext ?? null,
        memory: turn.memory.section,
        seat: seat && { crew: seat.crew.name, role: seat.role },
        facilities: { ...this.facilitiesOf(turn, live), clock: Date.now, computer, delegate },
        now: startedAt,
      }),
      preface: [
        ...turn.context.skills.messages.map(({ message }) => message),
        ...conversation.preface,
      ],
      history: conversation.history,
      transcript: [turn.sent],
      stream: request.body.stream,
      maxToolIterations: agent.limits.maxToolIterations ?? DEFAULT_TOOL_ITERATIONS,
      budget: contextBudgetOf(agent, channel),
      clock: Date.now,
      spill: spillTo(agent.runtime === 'none' ? null : computer, live.signal),
      signal: live.signal,
      deadline: startedAt.getTime() + turn.timeoutMs,
    };
  }

  /** What tools get beside the computer: files, notices, memory, the skill store. */
  private facilitiesOf({ sessionId, runId, owner, agent, request }: Turn, live: LiveRun) {
    return {
      memory: this.memories.storeOf({
        agentId: agent.id,
        owner,
        ownerName: actorLabel(request.actor),
      }),
      sessionId,
      runId,
      takeNotice: () => this.computers.takeNotice(sessionId),
      files: this.runFiles.of(owner, (event) => live.emit(event)),
      saveSkillDraft: this.sandboxSkills.saverFor(request.actor),
    };
  }

  private saveProgress({ turn, run, live }: Omit<Finish, 'outcome'>): void {
    const progress = { messages: messagesOf(turn, run), events: live.events };
    this.store.saveProgress(turn.runId, progress).catch((error: unknown) => {
      logger().warn({ err: error, runId: turn.runId }, 'the progress of a run could not be stored');
    });
  }

  /** Stores what came of it, then lets the followers go: they are told what is stored. */
  private async finish({ turn, run, live, outcome }: Finish): Promise<void> {
    const stored = await this.storeEnd(turn, {
      outcome,
      messages: messagesOf(turn, run),
      events: live.events,
      endedAt: new Date(),
    });
    if (turn.request.body.sessionId) this.touches.touch(turn.sessionId);
    this.report(turn, stored);
    live.end(stored);
  }

  /**
   * Once more after a pause, since databases have their moments; then without what may be too much for
   * it. A run that cannot be stored even so is closed by the recovery.
   */
  private async storeEnd(turn: Turn, finished: FinishedRun): Promise<RunOutcome> {
    const calls = finished.outcome.toolCalls;
    const entries = toolCallEntries(turn.request.actor, callsOf(turn), calls);
    const store = () =>
      Promise.all([this.audit.recordMany(entries), this.store.finish(turn.runId, finished)]);
    try {
      await store().catch(async (error: unknown) => {
        logger().warn({ err: error, runId: turn.runId }, 'a run could not be stored; one more try');
        await new Promise((resolve) => setTimeout(resolve, STORE_AGAIN_MS));
        await this.store.finish(turn.runId, finished);
      });
      return finished.outcome;
    } catch (error) {
      logger().error({ err: error, runId: turn.runId }, 'a run could not be stored');
      return this.storeReduced(turn, finished);
    }
  }

  private async storeReduced(turn: Turn, { outcome, endedAt }: FinishedRun): Promise<RunOutcome> {
    const reduced = unstored(outcome);
    const event = {
      seq: 1,
      at: endedAt.toISOString(),
      type: 'run-end',
      status: 'failed',
      error: reduced.error,
    };
    const events = [{ json: JSON.stringify(event) }];
    const end = { outcome: reduced, messages: [turn.stored], events, endedAt };
    await this.store.finish(turn.runId, end).catch((error: unknown) => {
      logger().error(
        { err: error, runId: turn.runId },
        'not even the end of a run could be stored',
      );
    });
    return reduced;
  }

  /** One line of log a run, and its figures. */
  private report({ runId, agent, startedAt }: Turn, outcome: RunOutcome): void {
    const durationMs = Date.now() - startedAt.getTime();
    const { status, error, usage, toolCalls } = outcome;
    this.metrics.runEnded(outcome, durationMs);
    logger().info(
      {
        runId,
        agent: agent.name,
        status,
        durationMs,
        toolCalls: toolCalls.length,
        tokens: usage.totalTokens,
        ...(error === null ? {} : { error }),
      },
      'run ended',
    );
  }
}

/** What else a run is made of. */
interface Own {
  conversation: Conversation;
  delegation: Delegation | null;
}

interface Finish {
  turn: Turn;
  run: AgentRun;
  live: LiveRun;
  outcome: RunOutcome;
}

const callsOf = ({ runId, agent }: Turn) => ({ runId, agent: agent.name });

/** The turn as it is stored: the user's message as it was sent to us, then what followed. */
const messagesOf = (turn: Turn, run: AgentRun) => [turn.stored, ...run.transcript.slice(1)];
