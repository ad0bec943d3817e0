import { systemRoutes } from '@netaclaw/contracts';
import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { handle, TextAnswer, type Controller } from '../../base/http/handler.js';
import { openApiText } from '../../base/http/open_api.js';
import { NetaClawMetricsService } from '../service/server/metrics.js';
import { NetaClawReadinessService } from '../service/server/readiness.js';

/** Health, figures and the API document. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class SystemController implements Controller {
  @Inject() readiness: NetaClawReadinessService;
  @Inject() metrics: NetaClawMetricsService;

  readonly handlers = [
    handle(systemRoutes.live, async () => ({ status: 'live' as const })),
    handle(systemRoutes.ready, async () => {
      const ready = await this.readiness.check();
      const status = ready.status === 'ready' ? 200 : 503;
      return new TextAnswer(JSON.stringify(ready), 'application/json; charset=utf-8', status);
    }),
    handle(systemRoutes.metrics, async () =>
      Promise.resolve(new TextAnswer(await this.metrics.text(), this.metrics.contentType)),
    ),
    handle(systemRoutes.openApi, async () =>
      Promise.resolve(new TextAnswer(openApiText(), 'application/json; charset=utf-8')),
    ),
  ];
}
