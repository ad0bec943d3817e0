import { createHash } from 'node:crypto';
import type {
  Agent,
  CallerRole,
  Message,
  ModelCapability,
  PromptLayer,
  RunSource,
} from '@netaclaw/contracts';
import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { ChangeCounter } from '../../../base/data/change_counter.js';
import { DomainError } from '../../../base/error.js';
import type { TurnSetup } from '../../runtime/agent_loop.js';
import {
  buildLastingLayers,
  buildRuntimeLayer,
  joinLayers,
  type SessionFacts,
} from '../../runtime/prompt_builder.js';
import { toolFitOf } from '../../runtime/provider/tool_fit.js';
import { resolveTools, type ResolvedTools } from '../../runtime/tools/resolve_tools.js';
import { TOOLSET_DEFAULTS } from '../../tools/catalog.js';
import { instantiateTools } from '../../tools/instantiate.js';
import type { RunFacilities } from '../../tools/source.js';
import { NetaClawAgentService } from '../agent/agent.js';
import { NetaClawModelChannelService } from '../channel/model_channel.js';
import { NetaClawSandboxPoolService, type KnownComputer } from '../computer/sandbox_pool.js';
import { NetaClawToolRegistryService } from '../tool/tool_registry.js';
import { NetaClawToolSourcesService } from '../tool/tool_sources.js';

/** What of an agent decides its tools and its prompt; a draft that is not stored has no more. */
export type ContextAgent = Pick<
  Agent,
  | 'name'
  | 'systemPrompt'
  | 'channelId'
  | 'capability'
  | 'toolsets'
  | 'tools'
  | 'memory'
  | 'runtime'
  | 'sandbox'
>;

/** Who asks, and what they do without. */
export interface Caller {
  role: CallerRole;
  denyTools: readonly string[];
}

/** The tools and the lasting prompt of one agent for one caller: what every path and the preview share. */
export interface AgentContext {
  resolved: ResolvedTools;
  capability: ModelCapability;
  /** Layers that are the same in every session: all but context and time. */
  layers: readonly PromptLayer[];
  /** Names what of this a run's record refers to. */
  hash: string;
  /** The same as JSON text. */
  record: string;
}

/** A run's own circumstances. */
export interface RunCircumstances {
  session: SessionFacts & { source: RunSource };
  executionContext: string | null;
  facilities: RunFacilities;
  now: Date;
}

interface Memo {
  computer: KnownComputer | null;
  unavailable: ReadonlyMap<string, string>;
  byCaller: Map<string, Promise<AgentContext>>;
}

const MAX_CALLERS_KEPT = 64;

/**
 * Gathers everything a run needs, once, for every path: REST, SSE, crew, task and preview take it from
 * here. A path that assembles its own tools or prompt is a defect.
 */
@Provide()
@Scope(ScopeEnum.Singleton)
export class NetaClawRunContextService {
  @Inject() changes: ChangeCounter;
  @Inject() registry: NetaClawToolRegistryService;
  @Inject() sources: NetaClawToolSourcesService;
  @Inject() channels: NetaClawModelChannelService;
  @Inject() agents: NetaClawAgentService;
  @Inject() computers: NetaClawSandboxPoolService;
  private readonly memos = new WeakMap<ContextAgent, { version: string; memo: Memo }>();

  /**
   * Decides tools and lasting prompt. Kept for as long as neither the governance nor the agent's
   * computer has changed: the same facts give the same answer.
   */
  contextFor(agent: ContextAgent, caller: Caller): Promise<AgentContext> {
    const { byCaller, computer, unavailable } = this.memoOf(agent);
    const key = JSON.stringify([caller.role, ...caller.denyTools]);
    const known = byCaller.get(key);
    if (known) return known;
    if (byCaller.size >= MAX_CALLERS_KEPT) byCaller.clear();
    const made = this.decide(agent, caller, { computer, unavailable });
    byCaller.set(key, made);
    made.catch(() => byCaller.delete(key));
    return made;
  }

  /**
   * The `setup` of a run: the current system prompt and tools, made anew only when the governance has
   * moved. Rejects when the rows cannot be read or the agent is gone.
   */
  setupFor(
    agentName: string,
    caller: Caller,
    { session, executionContext, facilities, now }: RunCircumstances,
  ): () => Promise<TurnSetup> {
    const own = ownLayers(session, executionContext, now);
    let kept: { version: string; setup: TurnSetup } | null = null;
    return async () => {
      const { version } = this.changes;
      if (kept?.version === version) return kept.setup;
      const context = await this.contextFor(await this.agent(agentName), caller);
      const system: Message = { role: 'system', content: joinLayers(arrange(context.layers, own)) };
      const tools = instantiateTools(context.resolved, this.sources.catalog, facilities);
      kept = { version, setup: { system, tools } };
      return kept.setup;
    };
  }

  private async agent(name: string): Promise<Agent> {
    const agent = await this.agents.byName(name);
    if (agent?.status === 1) return agent;
    throw new DomainError('conflict', `The agent ${name} was removed or turned off while it ran.`);
  }

  private memoOf(agent: ContextAgent): Memo {
    const { version } = this.changes;
    const computer = this.computers.describe(agent);
    const unavailable = this.sources.unavailable({ sessionId: null });
    const kept = this.memos.get(agent);
    const isCurrent =
      kept?.version === version &&
      kept.memo.computer === computer &&
      kept.memo.unavailable === unavailable;
    if (kept && isCurrent) return kept.memo;
    const memo = { computer, unavailable, byCaller: new Map() };
    this.memos.set(agent, { version, memo });
    return memo;
  }

  private async decide(
    agent: ContextAgent,
    caller: Caller,
    { computer, unavailable }: Pick<Memo, 'computer' | 'unavailable'>,
  ): Promise<AgentContext> {
    const { capability, protocol } = await this.channels.factsFor(agent);
    const fit = protocol === null ? null : toolFitOf(protocol);
    const resolved = resolveTools({
      toolsets: agent.toolsets ?? TOOLSET_DEFAULTS,
      agentDisabled: agent.tools.disabled ?? [],
      capability,
      memory: agent.memory.enabled,
      skills: false,
      crewMaster: false,
      computer: computer?.facts ?? null,
      callerRole: caller.role,
      callerDenied: caller.denyTools,
      unavailable: computer ? new Map([...unavailable, ...computer.unavailable]) : unavailable,
      fit,
      registry: await this.registry.snapshot(),
    });
    const layers = buildLastingLayers({
      profile: agent.systemPrompt,
      session: {},
      toolHints: resolved.toolPromptHints,
      computerPrompts: computer?.facts.problem === null ? computer.prompts : [],
      memory: [],
      guidance: [],
    });
    return recorded({ resolved, capability, layers });
  }
}

/** The layers that only this run has. */
export function ownLayers(
  session: SessionFacts,
  executionContext: string | null,
  now: Date,
): PromptLayer[] {
  const facts = { profile: '', toolHints: [], computerPrompts: [], memory: [], guidance: [] };
  const context = buildLastingLayers({ ...facts, session, executionContext });
  return [
    ...context.filter(({ key }) => key === 'context'),
    buildRuntimeLayer({ now, timeZone: localTimeZone }),
  ];
}

const localTimeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

const order: readonly PromptLayer['key'][] = [
  'identity',
  'profile',
  'context',
  'tools',
  'memory',
  'guidance',
  'runtime',
];

/** All layers of a prompt in their order. */
export const arrange = (
  lasting: readonly PromptLayer[],
  own: readonly PromptLayer[],
): PromptLayer[] => {
  const all = [...lasting, ...own];
  return order.flatMap((key) => all.filter((layer) => layer.key === key));
};

function recorded(context: Omit<AgentContext, 'hash' | 'record'>): AgentContext {
  const { resolved, capability, layers } = context;
  const record = JSON.stringify({
    toolNames: resolved.toolNames,
    disabledReasons: resolved.disabledReasons,
    warnings: resolved.warnings,
    modelCapability: capability,
    layers,
  });
  return { ...context, record, hash: createHash('sha256').update(record).digest('hex') };
}
