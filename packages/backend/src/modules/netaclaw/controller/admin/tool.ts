import { toolRoutes } from '@netaclaw/contracts';
import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { handle, type Controller } from '../../../base/http/handler.js';
import { NetaClawToolInfoService } from '../../service/tool/tool_info.js';
import { NetaClawToolRegistryService } from '../../service/tool/tool_registry.js';

/** The governance of tools: `/admin/netaclaw/tool`. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class ToolController implements Controller {
  @Inject() registry: NetaClawToolRegistryService;
  @Inject() infos: NetaClawToolInfoService;

  readonly handlers = [
    handle(toolRoutes.page, async ({ body }) => this.registry.page(body)),
    handle(toolRoutes.info, async ({ query }) => this.infos.info(query.id)),
    handle(toolRoutes.update, async ({ body, actor }) => this.registry.update(body, actor)),
    handle(toolRoutes.all, async () => this.registry.all()),
    handle(toolRoutes.sync, async ({ actor }) => this.registry.syncCatalogToDb(actor)),
    handle(toolRoutes.forAgent, async ({ body }) => this.registry.forAgent(body)),
  ];
}
