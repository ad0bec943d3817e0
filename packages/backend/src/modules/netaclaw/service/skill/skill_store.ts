import { isUtf8 } from 'node:buffer';
import type { AuditAction, Skill } from '@netaclaw/contracts';
import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import type { EntityManager } from 'typeorm';
import { Audit } from '../../../base/audit/audit.js';
import { actorLabel, type Actor } from '../../../base/auth/actor.js';
import { ChangeCounter } from '../../../base/data/change_counter.js';
import { versionedUpdate } from '../../../base/data/versioned_update.js';
import { notFound, staleVersion } from '../../../base/error.js';
import { NetaClawSkillEntity } from '../../entity/skill.js';
import { NetaClawSkillFileEntity } from '../../entity/skill_file.js';
import { NetaClawSkillVersionEntity } from '../../entity/skill_version.js';
import { newestOf, publishedOf, skillStatusOf } from '../../runtime/skills/skill_versions.js';
import { estimateTokens } from '../../runtime/estimate.js';
import { hashOf, type PackedFile, type SkillPackage } from './skill_package.js';
import { skillOf, type VersionRow } from './skill_row.js';

/** A change of a skill that is there, by somebody who had this version of it before them. */
export interface SkillChange {
  id: number;
  version: number;
  actor: Actor;
  action: AuditAction;
}

/** A skill under change: nobody else changes it meanwhile. */
export interface HeldSkill {
  manager: EntityManager;
  row: NetaClawSkillEntity;
  /** Newest first. */
  versions: readonly VersionRow[];
  now: Date;
}

/** The one way to write skills: in a transaction, with the audit, and so that runs hear of it. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class NetaClawSkillStoreService {
  @Inject() changes: ChangeCounter;
  @Inject() audit: Audit;

  /** A new skill with its first version, a draft. */
  create(content: SkillPackage, actor: Actor, action: AuditAction): Promise<Skill> {
    return this.changes.change(async (manager) => {
      const { name, description } = content.skill.frontMatter;
      const now = new Date();
      const { id } = await manager.save(NetaClawSkillEntity, {
        name,
        description,
        status: 'draft' as const,
        publishedNumber: null,
        latestNumber: 1,
        version: 1,
        createTime: now,
        updateTime: now,
      });
      await addVersion(manager, {
        skillId: id,
        number: 1,
        content,
        author: actorLabel(actor),
        now,
      });
      const row = await manager.findOneByOrFail(NetaClawSkillEntity, { id });
      await this.record(manager, { actor, action, after: await seen(manager, row) });
      return skillOf(row);
    });
  }

  /** Does `work` to a skill and brings its row up to what its versions say. Refuses a stale version. */
  change(
    { id, version, actor, action }: SkillChange,
    work: (held: HeldSkill) => Promise<void>,
  ): Promise<Skill> {
    return this.changes.change(async (manager) => {
      const found = await manager.findOneBy(NetaClawSkillEntity, { id });
      if (!found) throw notFound(`the skill ${id}`);
      const before = await seen(manager, found);
      // Taken first: who comes second with the same version waits here, and is then told.
      const isHeld = await versionedUpdate(manager, NetaClawSkillEntity, { id, version, set: {} });
      const row = await manager.findOneByOrFail(NetaClawSkillEntity, { id });
      if (!isHeld) throw staleVersion(`the skill ${row.name}`, skillOf(row));
      const versions = await versionsOf(manager, id);
      await work({ manager, row, versions, now: new Date() });
      const after = await this.refresh(manager, row);
      await this.record(manager, { actor, action, before, after: await seen(manager, after) });
      return skillOf(after);
    });
  }

  private async refresh(
    manager: EntityManager,
    { id }: NetaClawSkillEntity,
  ): Promise<NetaClawSkillEntity> {
    const versions = await versionsOf(manager, id);
    const newest = newestOf(versions);
    await manager.update(NetaClawSkillEntity, id, {
      description: newest?.description ?? '',
      latestNumber: newest?.number ?? 0,
      publishedNumber: publishedOf(versions)?.number ?? null,
      status: skillStatusOf(versions),
    });
    return manager.findOneByOrFail(NetaClawSkillEntity, { id });
  }

  private record(
    manager: EntityManager,
    entry: { actor: Actor; action: AuditAction; before?: SeenSkill; after: SeenSkill },
  ): Promise<void> {
    return this.audit.record(manager, { ...entry, target: `skill:${entry.after.name}` });
  }
}

/** What the audit keeps of a skill: how it stands, and of which text. */
type SeenSkill = Skill & { hash: string | null; approvedBy: string | null };

async function seen(manager: EntityManager, row: NetaClawSkillEntity): Promise<SeenSkill> {
  const newest = newestOf(await versionsOf(manager, row.id));
  return {
    ...skillOf(row),
    hash: newest?.hash ?? null,
    approvedBy: newest?.approvedBy ?? null,
  };
}

const withoutText = {
  id: true,
  skillId: true,
  number: true,
  status: true,
  hash: true,
  description: true,
  allowedTools: true,
  tokens: true,
  author: true,
  approvedHash: true,
  approvedBy: true,
  comment: true,
  publishedAt: true,
  createTime: true,
  updateTime: true,
} as const;

/** Newest first, without their texts. */
export const versionsOf = (manager: EntityManager, skillId: number): Promise<VersionRow[]> =>
  manager.find(NetaClawSkillVersionEntity, {
    select: withoutText,
    where: { skillId },
    order: { number: 'DESC' },
  });

/** The files of a version, by path. */
export const filesOf = (
  manager: EntityManager,
  versionId: number,
): Promise<NetaClawSkillFileEntity[]> =>
  manager.find(NetaClawSkillFileEntity, { where: { versionId }, order: { path: 'ASC' } });

export interface NewVersion {
  skillId: number;
  number: number;
  content: SkillPackage;
  author: string;
  now: Date;
}

/** A draft with its files. */
export async function addVersion(
  manager: EntityManager,
  { skillId, number, content, author, now }: NewVersion,
): Promise<void> {
  const { id } = await manager.save(NetaClawSkillVersionEntity, {
    ...textColumns(content),
    skillId,
    number,
    author,
    createTime: now,
    updateTime: now,
  });
  await addFiles(manager, id, content.files);
}

/** Another text in a draft: whoever approved the one before has not approved this. */
export async function replaceVersion(
  manager: EntityManager,
  id: number,
  { content, author, now }: Pick<NewVersion, 'content' | 'author' | 'now'>,
): Promise<void> {
  await manager.update(NetaClawSkillVersionEntity, id, {
    ...textColumns(content),
    author,
    updateTime: now,
  });
  await manager.delete(NetaClawSkillFileEntity, { versionId: id });
  await addFiles(manager, id, content.files);
}

const textColumns = (content: SkillPackage) => ({
  status: 'draft' as const,
  content: content.content,
  hash: hashOf(content),
  description: content.skill.frontMatter.description,
  allowedTools: content.skill.frontMatter.allowedTools,
  tokens: estimateTokens(content.skill.body),
  approvedHash: null,
  approvedBy: null,
  comment: null,
  publishedAt: null,
});

async function addFiles(
  manager: EntityManager,
  versionId: number,
  files: readonly PackedFile[],
): Promise<void> {
  // One by one: both databases limit what one statement may carry.
  for (const { path, bytes } of files) {
    const encoding = isText(bytes) ? 'utf8' : 'base64';
    const content = bytes.toString(encoding);
    await manager.insert(NetaClawSkillFileEntity, {
      versionId,
      path,
      size: bytes.length,
      encoding,
      content,
    });
  }
}

const isText = (bytes: Buffer): boolean => isUtf8(bytes) && !bytes.includes(0);
