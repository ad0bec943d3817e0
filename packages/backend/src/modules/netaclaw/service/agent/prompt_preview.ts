import type { AgentDraft, PreviewBody, PromptPreview, SocketPayload } from '@netaclaw/contracts';
import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import type { Actor } from '../../../base/auth/actor.js';
import { joinLayers } from '../../runtime/prompt_builder.js';
import { NetaClawAgentService } from './agent.js';
import { NetaClawModelChannelService } from '../channel/model_channel.js';
import {
  arrange,
  NetaClawRunContextService,
  ownLayers,
  type ContextAgent,
} from '../run/run_context.js';
import { NetaClawTurnService } from '../run/turn.js';

/** What a draft that says nothing of it would be stored with. */
const emptyAgent: ContextAgent = {
  name: 'draft',
  systemPrompt: '',
  channelId: null,
  capability: null,
  toolsets: null,
  tools: {},
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
  @Inject() turns: NetaClawTurnService;

  /** What a run of this agent would get if the caller began it now. */
  async effective(name: string, actor: Actor): Promise<SocketPayload<'tools.effective'>> {
    const agent = await this.turns.usableAgent(name, actor);
    const { resolved, capability } = await this.contexts.contextFor(agent, {
      role: actor.role,
      denyTools: [],
    });
    return {
      toolNames: [...resolved.toolNames],
      disabledReasons: [...resolved.disabledReasons],
      warnings: [...resolved.warnings],
      modelCapability: capability,
    };
  }

  /** Refuses a draft that names what does not exist, as saving it would. */
  async preview({ id, draft }: PreviewBody, actor: Actor): Promise<PromptPreview> {
    const stored = id === undefined ? emptyAgent : await this.agents.info(id);
    if (draft) await this.agents.refuseUnknown(draft);
    const agent = overlaid(stored, draft);
    const context = await this.contexts.contextFor(agent, { role: actor.role, denyTools: [] });
    const model = await this.channels.modelName(agent.channelId);
    const own = ownLayers({ source: 'rest', model, user: actor.name }, null, new Date());
    const layers = arrange(context.layers, own);
    const { resolved, capability } = context;
    return {
      layers,
      prompt: joinLayers(layers),
      toolNames: [...resolved.toolNames],
      builtinToolNames: [...resolved.builtinToolNames],
      disabledReasons: [...resolved.disabledReasons],
      warnings: [...resolved.warnings],
      modelCapability: capability,
    };
  }
}

/** The draft's fields over the stored ones; a field left out stays as it is. */
function overlaid(stored: ContextAgent, draft: AgentDraft | undefined): ContextAgent {
  const given = Object.entries(draft ?? {}).filter(([, value]) => value !== undefined);
  return { ...stored, ...Object.fromEntries(given) };
}
