import { runAdminRoutes, sessionAdminRoutes } from '@netaclaw/contracts';
import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { handle, type Controller } from '../../../base/http/handler.js';
import { NetaClawRunService } from '../../service/run/run.js';
import { NetaClawSessionService } from '../../service/session/session.js';

/** Everyone's runs and sessions, for operators. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class RunController implements Controller {
  @Inject() runs: NetaClawRunService;
  @Inject() sessions: NetaClawSessionService;

  readonly handlers = [
    handle(runAdminRoutes.page, async ({ body }) => this.runs.page(body)),
    handle(runAdminRoutes.info, async ({ query }) => this.runs.detail(query.id)),
    handle(runAdminRoutes.cancel, async ({ body, actor }) =>
      this.runs.cancel(body.id, actor, { own: false }),
    ),
    handle(sessionAdminRoutes.page, async ({ body }) => this.sessions.page(body)),
    handle(sessionAdminRoutes.messages, async ({ body }) =>
      this.sessions.messages(body.id, null, body),
    ),
    handle(sessionAdminRoutes.delete, async ({ body, actor }) => ({
      deleted: await this.sessions.delete(body.ids, null, actor),
    })),
  ];
}
