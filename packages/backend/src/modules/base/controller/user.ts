import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { userRoutes } from '@netaclaw/contracts';
import { Users } from '../auth/users.js';
import { handle, type Controller } from '../http/handler.js';

/** The people who may sign in. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class UserController implements Controller {
  @Inject() users: Users;

  readonly handlers = [
    handle(userRoutes.page, ({ body }) => this.users.page(body)),
    handle(userRoutes.info, ({ query }) => this.users.info(query.id)),
    handle(userRoutes.add, ({ actor, body }) => this.users.add(actor, body)),
    handle(userRoutes.update, ({ actor, body }) => this.users.update(actor, body)),
    handle(userRoutes.delete, async ({ actor, body }) => ({
      deleted: await this.users.delete(actor, body.ids),
    })),
  ];
}
