import { memoryRoutes } from '@netaclaw/contracts';
import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { handle, type Controller } from '../../../base/http/handler.js';
import { NetaClawMemoryAdminService } from '../../service/memory/memory_admin.js';

/** What agents remember of users: `/admin/netaclaw/memory`. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class MemoryController implements Controller {
  @Inject() memories: NetaClawMemoryAdminService;

  readonly handlers = [
    handle(memoryRoutes.page, async ({ body, actor }) => this.memories.page(body, actor)),
    handle(memoryRoutes.update, async ({ body, actor }) => this.memories.update(body, actor)),
    handle(memoryRoutes.delete, async ({ body, actor }) => ({
      deleted: await this.memories.delete(body.ids, actor),
    })),
  ];
}
