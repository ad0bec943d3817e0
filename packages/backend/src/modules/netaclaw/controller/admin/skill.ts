import { skillRoutes } from '@netaclaw/contracts';
import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { handle, type Controller } from '../../../base/http/handler.js';
import { NetaClawSkillService } from '../../service/skill/skill.js';
import { NetaClawSkillReviewService } from '../../service/skill/skill_review.js';
import { NetaClawSkillTransferService } from '../../service/skill/skill_transfer.js';
import { downloadAnswer } from '../file_answer.js';

/** Skills: `/admin/netaclaw/skill`. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class SkillController implements Controller {
  @Inject() skills: NetaClawSkillService;
  @Inject() transfer: NetaClawSkillTransferService;
  @Inject() reviews: NetaClawSkillReviewService;

  readonly handlers = [
    handle(skillRoutes.page, async ({ body }) => this.skills.page(body)),
    handle(skillRoutes.list, async () => this.skills.list()),
    handle(skillRoutes.info, async ({ query }) => this.skills.info(query)),
    handle(skillRoutes.add, async ({ body, actor }) => this.skills.add(body, actor)),
    handle(skillRoutes.update, async ({ body, actor }) => this.skills.update(body, actor)),
    handle(skillRoutes.import, async ({ body, actor }) => this.transfer.import(body, actor)),
    handle(skillRoutes.export, async ({ body }) =>
      downloadAnswer(await this.transfer.export(body)),
    ),
    handle(skillRoutes.review, async ({ body, actor }) => this.reviews.review(body, actor)),
    handle(skillRoutes.publish, async ({ body, actor }) => this.reviews.publish(body, actor)),
    handle(skillRoutes.rollback, async ({ body, actor }) => this.reviews.rollback(body, actor)),
    handle(skillRoutes.archive, async ({ body, actor }) => this.reviews.archive(body, actor)),
    handle(skillRoutes.delete, async ({ body, actor }) => ({
      deleted: await this.skills.delete(body.ids, actor),
    })),
  ];
}
