import { crewRoutes } from '@netaclaw/contracts';
import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { handle, type Controller } from '../../../base/http/handler.js';
import { NetaClawCrewService } from '../../service/crew/crew.js';

/** Crews: `/admin/netaclaw/crew`. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class CrewController implements Controller {
  @Inject() crews: NetaClawCrewService;

  readonly handlers = [
    handle(crewRoutes.page, async ({ body }) => this.crews.page(body)),
    handle(crewRoutes.info, async ({ query }) => this.crews.info(query.id)),
    handle(crewRoutes.add, async ({ body, actor }) => this.crews.add(body, actor)),
    handle(crewRoutes.update, async ({ body, actor }) => this.crews.update(body, actor)),
    handle(crewRoutes.delete, async ({ body, actor }) => ({
      deleted: await this.crews.delete(body.ids, actor),
    })),
  ];
}
