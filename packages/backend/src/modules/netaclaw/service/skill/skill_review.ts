import type { Skill, SkillReviewBody, SkillRollbackBody, SkillStepBody } from '@netaclaw/contracts';
import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { actorLabel, type Actor } from '../../../base/auth/actor.js';
import { DomainError, invalid, notFound } from '../../../base/error.js';
import { NetaClawSkillVersionEntity } from '../../entity/skill_version.js';
import { publishProblems } from '../../runtime/skills/publish_problems.js';
import { isOpen, newestOf, publishedOf } from '../../runtime/skills/skill_versions.js';
import { NetaClawSkillService } from './skill.js';
import type { VersionRow } from './skill_row.js';
import { NetaClawSkillStoreService, type HeldSkill } from './skill_store.js';

type VersionSet = Partial<
  Pick<
    NetaClawSkillVersionEntity,
    'status' | 'approvedHash' | 'approvedBy' | 'comment' | 'publishedAt'
  >
>;

/** The way of a version to the agents and back: a person stands at every step. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class NetaClawSkillReviewService {
  @Inject() skills: NetaClawSkillService;
  @Inject() store: NetaClawSkillStoreService;

  /** Of the newest version. An approval holds for its text as it is now. */
  review({ id, version, decision, comment }: SkillReviewBody, actor: Actor): Promise<Skill> {
    const change = { id, version, actor, action: 'skill.review' as const };
    return this.store.change(change, async (held) => {
      const newest = openVersion(held);
      const said = comment ?? null;
      switch (decision) {
        case 'submit':
          return set(held, newest, { status: 'in_review', ...unapproved, comment: said });
        case 'reject':
          return set(held, newest, { status: 'draft', ...unapproved, comment: said });
        case 'approve': {
          const approved = { approvedHash: newest.hash, approvedBy: actorLabel(actor) };
          return set(held, newest, { status: 'in_review', ...approved, comment: said });
        }
        default:
          return impossible(decision);
      }
    });
  }

  /** What agents had before is archived, and can be brought back. */
  publish({ id, version }: SkillStepBody, actor: Actor): Promise<Skill> {
    return this.store.change({ id, version, actor, action: 'skill.publish' }, async (held) => {
      const newest = openVersion(held);
      const { manager, row, now } = held;
      const { content } = await manager.findOneByOrFail(NetaClawSkillVersionEntity, {
        id: newest.id,
      });
      const problems = publishProblems({ ...newest, name: row.name, content });
      if (problems.length > 0) throw invalid(problems);
      await archivePublished(held);
      await set(held, newest, { status: 'published', publishedAt: now });
    });
  }

  /** Without a version the caller takes the skill as it stands. */
  async rollback({ id, to, version }: SkillRollbackBody, actor: Actor): Promise<Skill> {
    const current = version ?? (await this.skills.find(id)).version;
    const change = { id, version: current, actor, action: 'skill.rollback' as const };
    return this.store.change(change, async (held) => {
      const target = held.versions.find(({ number }) => number === to);
      if (!target) throw notFound(`version ${to} of the skill ${held.row.name}`);
      if (target.publishedAt === null) {
        throw invalid([{ path: 'to', message: `version ${to} was never published` }]);
      }
      await archivePublished(held);
      await set(held, target, { status: 'published' });
    });
  }

  archive({ id, version }: SkillStepBody, actor: Actor): Promise<Skill> {
    return this.store.change({ id, version, actor, action: 'skill.archive' }, async (held) => {
      if (!publishedOf(held.versions)) {
        throw new DomainError('conflict', `no version of the skill ${held.row.name} is published`);
      }
      await archivePublished(held);
    });
  }
}

const unapproved: VersionSet = { approvedHash: null, approvedBy: null };

function openVersion({ row, versions }: HeldSkill): VersionRow {
  const newest = newestOf(versions);
  if (newest && isOpen(newest)) return newest;
  const message = `the skill ${row.name} has no draft: change its text to begin its next version`;
  throw new DomainError('conflict', message);
}

async function archivePublished(held: HeldSkill): Promise<void> {
  const published = publishedOf(held.versions);
  if (published) await set(held, published, { status: 'archived' });
}

const set = async ({ manager, now }: HeldSkill, { id }: VersionRow, columns: VersionSet) => {
  await manager.update(NetaClawSkillVersionEntity, id, { ...columns, updateTime: now });
};

const impossible = (value: never): never => {
  throw new Error(`no such decision: ${String(value)}`);
};
