import type { Agent, ChatBody, Message, RunSource } from '@netaclaw/contracts';
import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { mayUseAgent, ownerOf, type Actor } from '../../../base/auth/actor.js';
import { newId } from '../../../base/data/new_id.js';
import { DomainError, invalid } from '../../../base/error.js';
import { repairHistory } from '../../runtime/history.js';
import type { StoredTurn } from '../../runtime/summary.js';
import { NetaClawAgentService } from '../agent/agent.js';
import { NetaClawAttachmentsService, type AttachmentContext } from '../file/attachments.js';
import { NetaClawModelChannelService, type ResolvedChannel } from '../channel/model_channel.js';
import { NetaClawRunContextService, type AgentContext, type Caller } from './run_context.js';
import { NetaClawRunStoreService } from './run_store.js';
import { NetaClawSandboxPoolService } from '../computer/sandbox_pool.js';
import { maxMessagesOf } from './context_budget.js';

const STAGING_TIMEOUT_MS = 60_000;

/** A turn that somebody asks for, on any path. */
export interface TurnRequest {
  body: ChatBody;
  actor: Actor;
  source: RunSource;
  /** What was said before in a new session, where the caller brings it along. It is sent, not stored. */
  earlier?: readonly Message[];
  /** Circumstances that a caller adds to the prompt, as its `# Execution Context`. */
  executionContext?: string | null;
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
  /** What is still shown of the conversation, turn by turn, and notes on what is not. */
  earlier: { summary: string | null; turns: StoredTurn[] };
  /** The user's message as it is stored. */
  stored: Message;
  /** The same as the model is sent it. */
  sent: Message;
  startedAt: Date;
}

/** Gathers what a turn needs; refuses, with a sentence, what cannot begin. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class NetaClawTurnService {
  @Inject() agents: NetaClawAgentService;
  @Inject() channels: NetaClawModelChannelService;
  @Inject() contexts: NetaClawRunContextService;
  @Inject() store: NetaClawRunStoreService;
  @Inject() computers: NetaClawSandboxPoolService;
  @Inject() attachments: NetaClawAttachmentsService;

  async prepare(request: TurnRequest): Promise<Turn> {
    const { body, actor } = request;
    const agent = await this.usableAgent(body.agent, actor);
    const channel = await this.channels.forAgent(agent);
    const caller = { role: actor.role, denyTools: body.denyTools };
    const owner = ownerOf(actor);
    const sessionId = body.sessionId ?? newId();
    const attachments = this.attachmentContext({ agent, channel, owner, sessionId });
    return {
      request,
      runId: newId(),
      sessionId,
      owner,
      agent,
      channel,
      caller,
      context: await this.contexts.contextFor(agent, caller),
      earlier: await this.earlier(request, { agent, owner }, attachments),
      stored: { role: 'user', content: body.message },
      sent: await this.attachments.prepare(body.message, attachments),
      startedAt: new Date(),
    };
  }

  /** The conversation so far: the session's, else what the request itself brings. */
  private async earlier(
    { body: { sessionId }, earlier }: TurnRequest,
    { agent, owner }: Pick<Turn, 'agent' | 'owner'>,
    attachments: AttachmentContext,
  ): Promise<Turn['earlier']> {
    const isSummarized = agent.limits.summarizeHistory ?? false;
    const wanted = { owner, maxTurns: maxMessagesOf(agent), isSummarized };
    const { summary, turns } = sessionId
      ? await this.store.history(sessionId, wanted)
      : { summary: null, turns: earlier ? [{ runId: '', messages: earlier }] : [] };
    const prepared = turns.map(async ({ runId, messages }) => ({
      runId,
      messages: await this.attachments.prepareHistory(repairHistory(messages), attachments),
    }));
    return { summary, turns: await Promise.all(prepared) };
  }

  /** An agent that is on and that the caller may use. Throws `DomainError`. */
  async usableAgent(name: string, actor: Actor): Promise<Agent> {
    if (!mayUseAgent(actor, name)) {
      throw new DomainError('forbidden', `this API key may not use the agent ${name}`);
    }
    const agent = await this.agents.byName(name);
    if (!agent) throw invalid([{ path: 'agent', message: `there is no agent named ${name}` }]);
    if (agent.status === 1) return agent;
    throw invalid([{ path: 'agent', message: `the agent ${name} is turned off` }]);
  }

  private attachmentContext({
    agent,
    channel,
    owner,
    sessionId,
  }: Pick<Turn, 'agent' | 'channel' | 'owner' | 'sessionId'>): AttachmentContext {
    const hasComputer = this.computers.describe(agent)?.facts.problem === null;
    return {
      owner,
      acceptsImages: channel.capability.value !== 'text',
      computer: hasComputer
        ? () => this.computers.computer(sessionId, agent, stagingLimit())
        : null,
    };
  }
}

const stagingLimit = (): AbortSignal => AbortSignal.timeout(STAGING_TIMEOUT_MS);
