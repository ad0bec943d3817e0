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
import { masterGuidance } from '../../runtime/crew/delegated_context.js';
import { buildLastingLayers, joinLayers, type SessionFacts } from '../../runtime/prompt_builder.js';
import { toolFitOf } from '../../runtime/provider/tool_fit.js';
import { resolveTools, type ResolvedTools } from '../../runtime/tools/resolve_tools.js';
import { TOOLSET_DEFAULTS } from '../../tools/catalog.js';
import { CREW_SOURCE } from '../../tools/crew_tools.js';
import { instantiateTools, type Declarations } from '../../tools/instantiate.js';
import type { RunFacilities } from '../../tools/source.js';
import { NetaClawAgentService } from '../agent/agent.js';
import { NetaClawModelChannelService } from '../channel/model_channel.js';
import { NetaClawComputerFactsService } from '../computer/computer_facts.js';
import type { KnownComputer } from '../computer/known_computers.js';
import {
  NetaClawCrewDirectoryService,
  type CrewSeat,
  type SeatName,
} from '../crew/crew_directory.js';
import { NetaClawSkillContextService, type SkillContext } from '../skill/skill_context.js';
import { NetaClawToolRegistryService } from '../tool/tool_registry.js';
import { NetaClawToolSourcesService } from '../tool/tool_sources.js';
import { arrange, ownLayers } from './prompt_layers.js';

/** What of an agent decides its tools and its prompt; a draft that is not stored has no more. */
export type ContextAgent = Pick<
  Agent,
  | 'name'
  | 'systemPrompt'
  | 'channelId'
  | 'capability'
  | 'toolsets'
  | 'tools'
  | 'skills'
  | 'pinnedSkills'
  | 'memory'
  | 'runtime'
  | 'sandbox'
>;

/** Who asks, and what they do without. */
export interface Caller {
  role: CallerRole;
  denyTools: readonly string[];
}

/** Where an agent works: in a crew or by itself, in a session or in none yet. */
export interface Place {
  seat: CrewSeat | null;
  sessionId: string | null;
}

/** The tools and the lasting prompt of one agent for one caller: what every path and the preview share. */
export interface AgentContext {
  resolved: ResolvedTools;
  capability: ModelCapability;
  skills: SkillContext;
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
  /** The session's frozen memory; empty: none. */
  memory: string;
  /** Null: an agent by itself. */
  seat: SeatName | null;
  /** The skills are not the run's to say: they follow from the context of the moment. */
  facilities: Omit<RunFacilities, 'skills'>;
  now: Date;
}

interface Memo {
  unavailable: ReadonlyMap<string, string>;
  bySituation: Map<string, Promise<AgentContext>>;
}

interface Situation extends Pick<Memo, 'unavailable'> {
  computer: KnownComputer | null;
  caller: Caller;
  seat: CrewSeat | null;
}

const MAX_SITUATIONS_KEPT = 64;

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
  @Inject() computers: NetaClawComputerFactsService;
  @Inject() crews: NetaClawCrewDirectoryService;
  @Inject() skills: NetaClawSkillContextService;
  private readonly memos = new WeakMap<ContextAgent, { version: string; memo: Memo }>();

  /**
   * Decides tools and lasting prompt for a caller, in a crew or without. Kept for as long as neither the governance nor the agent's
   * computer has changed: the same facts give the same answer. `sessionId` null: a session that is not there yet.
   */
  async contextFor(
    agent: ContextAgent,
    caller: Caller,
    { seat, sessionId }: Place,
  ): Promise<AgentContext> {
    const computer = await this.computers.describe(agent, sessionId);
    const { bySituation, unavailable } = this.memoOf(agent);
    const sitsAs = seat ? [seat.crew.id, seat.role] : null;
    const computerId = computer?.id ?? null;
    const key = JSON.stringify([caller.role, sitsAs, computerId, ...caller.denyTools]);
    const known = bySituation.get(key);
    if (known) return known;
    if (bySituation.size >= MAX_SITUATIONS_KEPT) bySituation.clear();
    const made = this.decide(agent, { caller, seat, computer, unavailable });
    bySituation.set(key, made);
    made.catch(() => bySituation.delete(key));
    return made;
  }

  /**
   * The `setup` of a run: the current system prompt and tools, made anew only when the governance has
   * moved, or its computer is known better. Rejects when the rows cannot be read, or the agent or its place in its crew is gone.
   */
  setupFor(
    agentName: string,
    caller: Caller,
    { session, executionContext, memory, seat: seatName, facilities, now }: RunCircumstances,
  ): () => Promise<TurnSetup> {
    const own = ownLayers({ session, executionContext, memory, now });
    const { sessionId } = facilities;
    let kept: { version: string; agent: Agent; computer: string | null; setup: TurnSetup } | null =
      null;
    return async () => {
      const { version } = this.changes;
      if (
        kept?.version === version &&
        kept.computer === (await this.computerId(kept.agent, sessionId))
      )
        return kept.setup;
      const agent = await this.agent(agentName);
      const seat = seatName && (await this.crews.seat(seatName, agentName));
      const computer = await this.computerId(agent, sessionId);
      const context = await this.contextFor(agent, caller, { seat, sessionId });
      const system: Message = { role: 'system', content: promptOf(agent, context, own) };
      const tools = instantiateTools(context.resolved, this.declarations(seat), {
        ...facilities,
        skills: context.skills.shelf,
      });
      kept = { version, agent, computer, setup: { system, tools } };
      return kept.setup;
    };
  }

  private async computerId(agent: ContextAgent, sessionId: string): Promise<string | null> {
    return (await this.computers.describe(agent, sessionId))?.id ?? null;
  }

  /** A tool comes from the catalog, or from the crew in play. */
  private declarations(seat: CrewSeat | null): Declarations {
    const { catalog } = this.sources;
    return {
      of: ({ name, source }) =>
        source === CREW_SOURCE ? seat?.crew.tools.catalog.get(name) : catalog.get(name),
    };
  }

  private async agent(name: string): Promise<Agent> {
    const agent = await this.agents.byName(name);
    if (agent?.status === 1) return agent;
    throw new DomainError('conflict', `The agent ${name} was removed or turned off while it ran.`);
  }

  private memoOf(agent: ContextAgent): Memo {
    const { version } = this.changes;
    const unavailable = this.sources.unavailable({ sessionId: null });
    const kept = this.memos.get(agent);
    const isCurrent = kept?.version === version && kept.memo.unavailable === unavailable;
    if (kept && isCurrent) return kept.memo;
    const memo = { unavailable, bySituation: new Map() };
    this.memos.set(agent, { version, memo });
    return memo;
  }

  private async decide(
    agent: ContextAgent,
    { caller, seat, computer, unavailable }: Situation,
  ): Promise<AgentContext> {
    const { capability, protocol } = await this.channels.factsFor(agent);
    const fit = protocol === null ? null : toolFitOf(protocol);
    const resolved = resolveTools({
      toolsets: agent.toolsets ?? TOOLSET_DEFAULTS,
      agentDisabled: agent.tools.disabled ?? [],
      capability,
      memory: agent.memory.enabled,
      skills: agent.skills.length > 0,
      crewMaster: seat?.role === 'master',
      crewTools: seat?.crew.tools.tools ?? [],
      computer: computer?.facts ?? null,
      computerTools: agent.toolsets === null ? (computer?.offers ?? []) : [],
      callerRole: caller.role,
      callerDenied: caller.denyTools,
      unavailable: joined(unavailable, computer?.unavailable, seat?.crew.tools.unavailable),
      fit,
      registry: await this.registry.snapshot(),
    });
    const skills = await this.skills.contextFor(agent, resolved);
    const layers = buildLastingLayers({
      profile: agent.systemPrompt,
      session: {},
      toolHints: resolved.toolPromptHints,
      computerPrompts: computer?.facts.problem === null ? computer.prompts : [],
      memory: [],
      guidance: [...guidanceOf(seat, resolved), ...skills.guidance],
    });
    return recorded({ resolved, capability, skills, layers });
  }
}

/** What is remembered is shown only while the agent's memory is on. */
function promptOf(
  { memory }: Agent,
  { layers }: AgentContext,
  own: readonly PromptLayer[],
): string {
  const shown = memory.enabled ? own : own.filter(({ key }) => key !== 'memory');
  return joinLayers(arrange(layers, shown));
}

/** Only who has somebody to delegate to is told how. */
function guidanceOf(seat: CrewSeat | null, { tools }: ResolvedTools): string[] {
  if (seat?.role !== 'master') return [];
  return tools.some(({ source }) => source === CREW_SOURCE) ? [masterGuidance(seat.crew.name)] : [];
}

type Sentences = ReadonlyMap<string, string>;

/** The same map where there is nothing to add. */
function joined(first: Sentences, ...others: (Sentences | undefined)[]): Sentences {
  const more = others.flatMap((other) => (other?.size ? [...other] : []));
  return more.length === 0 ? first : new Map([...first, ...more]);
}

function recorded(context: Omit<AgentContext, 'hash' | 'record'>): AgentContext {
  const { resolved, capability, skills, layers } = context;
  const record = JSON.stringify({
    toolNames: resolved.toolNames,
    disabledReasons: resolved.disabledReasons,
    warnings: [...resolved.warnings, ...skills.warnings],
    modelCapability: capability,
    skills: skills.skills,
    layers,
  });
  return { ...context, record, hash: createHash('sha256').update(record).digest('hex') };
}
