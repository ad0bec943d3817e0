import type {
  AgentDraft,
  CrewRole,
  PreviewBody,
  PromptPreview,
  SocketParams,
  SocketPayload,
} from '@netaclaw/contracts';
import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { ownerOf, type Actor } from '../../../base/auth/actor.js';
import { invalid } from '../../../base/error.js';
import { joinLayers } from '../../runtime/prompt_builder.js';
import { NetaClawAgentService } from './agent.js';
import { NetaClawModelChannelService } from '../channel/model_channel.js';
import {
  NetaClawCrewDirectoryService,
  type CrewSeat,
  type LoadedCrew,
} from '../crew/crew_directory.js';
import { NetaClawMemoryService } from '../memory/memory.js';
import { arrange, ownLayers } from '../run/prompt_layers.js';
import { NetaClawRunContextService, type ContextAgent } from '../run/run_context.js';
import { NetaClawTurnCastService } from '../run/turn_cast.js';

/** What a draft that says nothing of it would be stored with. */
const emptyAgent: ContextAgent = {
  name: 'draft',
  systemPrompt: '',
  channelId: null,
  capability: null,
  toolsets: null,
  tools: {},
  skills: [],
  pinnedSkills: [],
  memory: { enabled: false },
  runtime: 'none',
  sandbox: null,
};

/** The prompt and the tools a run would get, from the very context a run takes. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class NetaClawPromptPreviewService {
  @Inject() agents: NetaClawAgentService;
  @Inject() contexts: NetaClawRunContextService;
  @Inject() channels: NetaClawModelChannelService;
  @Inject() crews: NetaClawCrewDirectoryService;
  @Inject() casts: NetaClawTurnCastService;
  @Inject() memories: NetaClawMemoryService;

  /** What a run of this agent, or of this crew's master, would get if the caller began it now. */
  async effective(
    body: SocketParams<'tools.effective'>,
    actor: Actor,
  ): Promise<SocketPayload<'tools.effective'>> {
    const { agent, seat } = await this.casts.of({ body, actor });
    const caller = { role: actor.role, denyTools: [] };
    const { resolved, capability } = await this.contexts.contextFor(agent, caller, {
      seat,
      sessionId: null,
    });
    return {
      toolNames: [...resolved.toolNames],
      disabledReasons: [...resolved.disabledReasons],
      warnings: [...resolved.warnings],
      modelCapability: capability,
    };
  }

  /** Refuses a draft that names what does not exist, as saving it would. */
  async preview(body: PreviewBody, actor: Actor): Promise<PromptPreview> {
    const { id, draft } = body;
    const stored = id === undefined ? emptyAgent : await this.agents.info(id);
    if (draft) await this.agents.refuseUnknown(draft);
    const agent = overlaid(stored, draft);
    const seat = await this.seatOf(body);
    const caller = { role: actor.role, denyTools: [] };
    const context = await this.contexts.contextFor(agent, caller, { seat, sessionId: null });
    const model = await this.channels.modelName(agent.channelId);
    const session = { source: 'rest', model, user: actor.name };
    const memory = await this.memoryOf(agent, id, actor);
    const own = ownLayers({ session, executionContext: null, memory, now: new Date() });
    const layers = arrange(context.layers, own);
    const { resolved, capability, skills } = context;
    return {
      layers,
      prompt: joinLayers(layers),
      toolNames: [...resolved.toolNames],
      builtinToolNames: [...resolved.builtinToolNames],
      disabledReasons: [...resolved.disabledReasons],
      warnings: [...resolved.warnings, ...skills.warnings],
      modelCapability: capability,
      skills: skills.skills,
      skillMessages: skills.messages.map(({ name, message, tokens }) => ({
        name,
        content: message.content,
        tokens,
      })),
    };
  }

  /** What a session of the caller's that begins now would have. */
  private async memoryOf({ memory }: ContextAgent, id: number | undefined, actor: Actor) {
    if (id === undefined || !memory.enabled) return '';
    return (await this.memories.freeze({ agentId: id, owner: ownerOf(actor) })).section;
  }

  /** As what the agent is previewed. What a run could not be is refused. */
  private async seatOf({ id, crewId, crewRole }: PreviewBody): Promise<CrewSeat | null> {
    if (crewId === undefined) return null;
    const crew = await this.crews.byId(crewId);
    if (!crew) throw invalid([{ path: 'crewId', message: `there is no crew ${crewId}` }]);
    const role = id === undefined ? crewRole : roleIn(crew, id);
    if (role !== undefined && (crewRole ?? role) === role) return { crew, role };
    const message = `this agent is not ${crewRole ?? 'master or member'} in the crew ${crew.name}`;
    throw invalid([{ path: 'crewRole', message }]);
  }
}

function roleIn({ masterAgentId, members }: LoadedCrew, id: number): CrewRole | undefined {
  if (masterAgentId === id) return 'master';
  return members.some(({ agentId }) => agentId === id) ? 'sub' : undefined;
}

/** The draft's fields over the stored ones; a field left out stays as it is. */
function overlaid(stored: ContextAgent, draft: AgentDraft | undefined): ContextAgent {
  const given = Object.entries(draft ?? {}).filter(([, value]) => value !== undefined);
  return { ...stored, ...Object.fromEntries(given) };
}
