import { agentRoutes } from '@netaclaw/contracts';
import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { handle, type Controller } from '../../../base/http/handler.js';
import { NetaClawAgentService } from '../../service/agent/agent.js';
import { NetaClawPromptPreviewService } from '../../service/agent/prompt_preview.js';

/** Agents and what they would get: `/admin/netaclaw/agent`. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class AgentController implements Controller {
  @Inject() agents: NetaClawAgentService;
  @Inject() previews: NetaClawPromptPreviewService;

  readonly handlers = [
    handle(agentRoutes.page, async ({ body }) => this.agents.page(body)),
    handle(agentRoutes.list, async () => this.agents.list()),
    handle(agentRoutes.info, async ({ query }) => this.agents.info(query.id)),
    handle(agentRoutes.add, async ({ body, actor }) => this.agents.add(body, actor)),
    handle(agentRoutes.update, async ({ body, actor }) => this.agents.update(body, actor)),
    handle(agentRoutes.delete, async ({ body, actor }) => ({
      deleted: await this.agents.delete(body.ids, actor),
    })),
    handle(agentRoutes.previewPrompt, async ({ body, actor }) =>
      this.previews.preview(body, actor),
    ),
  ];
}
