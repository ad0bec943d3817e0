import { overviewRoutes } from '@netaclaw/contracts';
import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { handle, type Controller } from '../../../base/http/handler.js';
import { NetaClawFiguresService } from '../../service/overview/figures.js';

/** The first page of the console: `/admin/netaclaw/overview`. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class OverviewController implements Controller {
  @Inject() service: NetaClawFiguresService;

  readonly handlers = [
    handle(overviewRoutes.figures, async ({ body }) => this.service.figures(body)),
  ];
}
