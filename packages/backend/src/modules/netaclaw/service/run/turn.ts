import type { Agent, ChatBody, Message, RunSource } from '@netaclaw/contracts';
import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { ownerOf, type Actor } from '../../../base/auth/actor.js';
import { invalid } from '../../../base/error.js';
import { newId } from '../../../base/data/new_id.js';
import { repairHistory } from '../../runtime/history.js';
import type { StoredTurn } from '../../runtime/summary.js';
import { DelegationBudget } from '../../runtime/crew/delegation_limits.js';
import type { CrewSeat, SeatName } from '../crew/crew_directory.js';
import { NetaClawAttachmentsService, type AttachmentContext } from '../file/attachments.js';
import { withoutRefusedImages } from '../file/refused_images.js';
import { NetaClawModelChannelService, type ResolvedChannel } from '../channel/model_channel.js';
import { NetaClawMemoryService, thawed } from '../memory/memory.js';
import { NetaClawRunContextService, type AgentContext, type Caller } from './run_context.js';
import { NetaClawSessionHistoryService } from './session_history.js';
import { NetaClawComputerFactsService } from '../computer/computer_facts.js';
import { NetaClawSandboxPoolService } from '../computer/sandbox_pool.js';
import { NetaClawToolRegistryService } from '../tool/tool_registry.js';
import { NetaClawTurnCastService } from './turn_cast.js';
import { maxMessagesOf } from './context_budget.js';

/** Names of a crew's tools follow from its members. */
const DELEGATE_PREFIX = 'delegate_';
const DEFAULT_RUN_TIMEOUT_MS = 10 * 60_000;
/** A sandbox may have to boot first. */
const STAGING_TIMEOUT_MS = 180_000;

/** What a member's turn is part of. */
export interface ParentRun {
  runId: string;
  sessionId: string;
  /** As what the member works. */
  seat: SeatName;
  /** When it must be done, in milliseconds since 1970. */
  deadline: number;
  /** Delegations below it; 0: none. */
  depthLeft: number;
  tree: DelegationBudget;
}

/** A turn that somebody asks for, on any path. */
export interface TurnRequest {
  body: ChatBody;
  actor: Actor;
  source: RunSource;
  /** What was said before in a new session, where the caller brings it along. It is sent, not stored. */
  earlier?: readonly Message[];
  /** Circumstances that a caller adds to the prompt, as its `# Execution Context`. */
  executionContext?: string | null;
  /** What the caller sent, where the body was made of it; it tells a repeated request. */
  asked?: unknown;
  /** Set for a member's turn. */
  parent?: ParentRun;
}

/** What the agent remembers of the user, as the session began with it. */
export interface TurnMemory {
  /** The prompt's section; empty: nothing. */
  section: string;
  /** What a new session keeps of it, as JSON; null: nothing, or the session is not new. */
  kept: string | null;
}

/** Everything a turn needs before it begins. Nothing has been stored yet. */
export interface Turn {
  request: TurnRequest;
  runId: string;
  sessionId: string;
  owner: string;
  agent: Agent;
  channel: ResolvedChannel;
  context: AgentContext;
  caller: Caller;
  /** Null: an agent by itself. */
  seat: CrewSeat | null;
  /** How many delegations deep this turn may reach. */
  depthLeft: number;
  tree: DelegationBudget;
  /** What is still shown of the conversation, turn by turn, and notes on what is not. */
  earlier: { summary: string | null; turns: StoredTurn[] };
  memory: TurnMemory;
  /** The user's message as it is stored. */
  stored: Message;
  /** The same as the model is sent it. */
  sent: Message;
  startedAt: Date;
  timeoutMs: number;
}

/** Gathers what a turn needs; refuses, with a sentence, what cannot begin. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class NetaClawTurnService {
  @Inject() casts: NetaClawTurnCastService;
  @Inject() channels: NetaClawModelChannelService;
  @Inject() registry: NetaClawToolRegistryService;
  @Inject() contexts: NetaClawRunContextService;
  @Inject() histories: NetaClawSessionHistoryService;
  @Inject() computers: NetaClawSandboxPoolService;
  @Inject() computerFacts: NetaClawComputerFactsService;
  @Inject() attachments: NetaClawAttachmentsService;
  @Inject() memories: NetaClawMemoryService;

  async prepare(request: TurnRequest): Promise<Turn> {
    const { body, actor, parent } = request;
    const { agent, seat } = await this.casts.of(request);
    const channel = await this.channels.forAgent(agent);
    await this.refuseUnknownTools(body.denyTools);
    const caller = { role: actor.role, denyTools: body.denyTools };
    const owner = ownerOf(actor);
    const sessionId = body.sessionId ?? newId();
    const startedAt = new Date();
    const attachments = await this.attachmentContext({ agent, channel, owner, sessionId });
    // Staging boots the computer, and what it has is known better then.
    const message = await this.attachments.keep(body.message, attachments);
    const sent = await this.attachments.prepare(message, attachments);
    const { memory, ...earlier } = await this.earlier(request, { agent, owner }, attachments);
    return {
      request,
      runId: newId(),
      sessionId,
      owner,
      agent,
      channel,
      caller,
      seat,
      depthLeft: Math.min(seat?.crew.maxDepth ?? 0, parent?.depthLeft ?? Infinity),
      tree: parent?.tree ?? new DelegationBudget(),
      context: await this.contexts.contextFor(agent, caller, { seat, sessionId }),
      earlier,
      memory: await this.memoryOf(agent, owner, body.sessionId ? { stored: memory } : null),
      stored: { role: 'user', content: message },
      sent,
      startedAt,
      timeoutMs: timeoutOf(agent, parent, startedAt),
    };
  }

  /** A name that is none would narrow nothing, and its caller would not know. */
  private async refuseUnknownTools(names: readonly string[]): Promise<void> {
    if (names.length === 0) return;
    const registry = await this.registry.snapshot();
    const problems = names.flatMap((name, index) =>
      registry.get(name) || name.startsWith(DELEGATE_PREFIX)
        ? []
        : [{ path: `denyTools.${index}`, message: `there is no tool named ${name}` }],
    );
    if (problems.length > 0) throw invalid(problems);
  }

  /** The conversation so far: the session's, else what the request itself brings. */
  private async earlier(
    { body: { sessionId }, earlier }: TurnRequest,
    { agent, owner }: Pick<Turn, 'agent' | 'owner'>,
    attachments: AttachmentContext,
  ): Promise<Turn['earlier'] & { memory: string | null }> {
    const isSummarized = agent.limits.summarizeHistory ?? false;
    const wanted = { owner, maxTurns: maxMessagesOf(agent), isSummarized };
    const { summary, memory, turns } = sessionId
      ? await this.histories.read(sessionId, wanted)
      : {
          ...NOTHING_STORED,
          turns: earlier ? [{ runId: '', messages: repairHistory(earlier) }] : [],
        };
    const prepared = withoutRefusedImages(turns).map(async ({ runId, messages }) => ({
      runId,
      messages: await this.attachments.prepareHistory(messages, attachments),
    }));
    return { summary, memory, turns: await Promise.all(prepared) };
  }

  /** Frozen when the session begins, so that its prompt stays the same; `stored` null: nothing then. */
  private async memoryOf(
    agent: Agent,
    owner: string,
    session: { stored: string | null } | null,
  ): Promise<TurnMemory> {
    if (!agent.memory.enabled) return { section: '', kept: null };
    if (session) return { section: thawed(session.stored, agent.id), kept: null };
    const frozen = await this.memories.freeze({ agentId: agent.id, owner });
    return { section: frozen.section, kept: JSON.stringify(frozen) };
  }

  private async attachmentContext({
    agent,
    channel,
    owner,
    sessionId,
  }: Pick<Turn, 'agent' | 'channel' | 'owner' | 'sessionId'>): Promise<AttachmentContext> {
    const known = await this.computerFacts.describe(agent, sessionId);
    const hasComputer = known?.facts.problem === null;
    return {
      owner,
      acceptsImages: channel.capability.value !== 'text',
      computer: hasComputer
        ? () => this.computers.computer(sessionId, agent, stagingLimit())
        : null,
    };
  }
}

const NOTHING_STORED = { summary: null, memory: null };

/** The agent's own limit, within what is left to whom it works for. */
function timeoutOf({ limits }: Agent, parent: ParentRun | undefined, startedAt: Date): number {
  const own = limits.runTimeoutMs ?? DEFAULT_RUN_TIMEOUT_MS;
  return parent ? Math.max(1, Math.min(own, parent.deadline - startedAt.getTime())) : own;
}

const stagingLimit = (): AbortSignal => AbortSignal.timeout(STAGING_TIMEOUT_MS);
