import { sandboxRoutes } from '@netaclaw/contracts';
import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { handle, type Controller } from '../../../base/http/handler.js';
import { NetaClawSandboxAdminService } from '../../service/computer/sandbox_admin.js';
import { NetaClawSandboxSkillsService } from '../../service/computer/skill_releases.js';

/** Drivers, live sandboxes and releases of skills: `/admin/netaclaw/sandbox`. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class SandboxController implements Controller {
  @Inject() sandboxes: NetaClawSandboxAdminService;
  @Inject() skills: NetaClawSandboxSkillsService;

  readonly handlers = [
    handle(sandboxRoutes.drivers, async () => this.sandboxes.drivers()),
    handle(sandboxRoutes.profiles, async ({ body }) => this.sandboxes.profiles(body.driver)),
    handle(sandboxRoutes.test, async ({ body }) => this.sandboxes.test(body.driver)),
    handle(sandboxRoutes.page, async ({ body }) => this.sandboxes.page(body)),
    handle(sandboxRoutes.stop, async ({ body, actor }) => this.sandboxes.stop(body.id, actor)),
    handle(sandboxRoutes.extend, async ({ body, actor }) =>
      this.sandboxes.extend(body.id, body.seconds, actor),
    ),
    handle(sandboxRoutes.delete, async ({ body, actor }) => ({
      deleted: await this.sandboxes.delete(body.ids, actor),
    })),
    handle(sandboxRoutes.skillCandidates, async ({ body }) => this.skills.candidates(body)),
    handle(sandboxRoutes.skillReleases, async ({ body }) => this.skills.releases(body)),
    handle(sandboxRoutes.skillPayload, async ({ body }) =>
      this.skills.payload(body.driver, body.payloadRef),
    ),
    handle(sandboxRoutes.skillEvaluate, async ({ body, actor }) =>
      this.skills.evaluate(body, actor),
    ),
    handle(sandboxRoutes.skillPromote, async ({ body, actor }) => this.skills.promote(body, actor)),
    handle(sandboxRoutes.skillRollback, async ({ body, actor }) =>
      this.skills.rollback(body.driver, body.releaseId, actor),
    ),
    handle(sandboxRoutes.skillSync, async ({ body, actor }) =>
      this.skills.sync(body.driver, body.releaseId, actor),
    ),
  ];
}
