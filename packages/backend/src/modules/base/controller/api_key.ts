import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { apiKeyRoutes } from '@netaclaw/contracts';
import { ApiKeys } from '../auth/api_keys.js';
import { handle, type Controller } from '../http/handler.js';

/** Keys of client programs. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class ApiKeyController implements Controller {
  @Inject() apiKeys: ApiKeys;

  readonly handlers = [
    handle(apiKeyRoutes.page, ({ body }) => this.apiKeys.page(body)),
    handle(apiKeyRoutes.info, ({ query }) => this.apiKeys.info(query.id)),
    handle(apiKeyRoutes.add, ({ actor, body }) => this.apiKeys.add(actor, body)),
    handle(apiKeyRoutes.update, ({ actor, body }) => this.apiKeys.update(actor, body)),
    handle(apiKeyRoutes.delete, async ({ actor, body }) => ({
      deleted: await this.apiKeys.delete(actor, body.ids),
    })),
  ];
}
