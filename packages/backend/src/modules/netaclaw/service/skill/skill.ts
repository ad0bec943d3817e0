import type {
  Page,
  Skill,
  SkillAddBody,
  SkillInfo,
  SkillInfoQuery,
  SkillListItem,
  SkillPageBody,
  SkillUpdateBody,
} from '@netaclaw/contracts';
import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { In, type EntityManager } from 'typeorm';
import { Audit } from '../../../base/audit/audit.js';
import { actorLabel, type Actor } from '../../../base/auth/actor.js';
import { ChangeCounter } from '../../../base/data/change_counter.js';
import { Database } from '../../../base/data/database.js';
import { isUniqueViolation } from '../../../base/data/errors.js';
import { pageQuery } from '../../../base/data/page_query.js';
import { DomainError, invalid, nameTaken, notFound } from '../../../base/error.js';
import { NetaClawAgentEntity } from '../../entity/agent.js';
import { NetaClawSkillEntity } from '../../entity/skill.js';
import { NetaClawSkillFileEntity } from '../../entity/skill_file.js';
import { NetaClawSkillVersionEntity } from '../../entity/skill_version.js';
import { parseSkill } from '../../runtime/skills/parse_skill.js';
import { nameChanged } from '../../runtime/skills/publish_problems.js';
import { isOpen, newestOf } from '../../runtime/skills/skill_versions.js';
import { packageOfText, type PackedFile, type SkillPackage } from './skill_package.js';
import { fileOf, packedFileOf, skillOf, versionOf, type VersionRow } from './skill_row.js';
import {
  addVersion,
  filesOf,
  NetaClawSkillStoreService,
  replaceVersion,
  versionsOf,
  type HeldSkill,
} from './skill_store.js';

/** A version with its text and its files. */
interface FullVersion {
  version: NetaClawSkillVersionEntity;
  files: NetaClawSkillFileEntity[];
}

/** Skills and their texts. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class NetaClawSkillService {
  @Inject() database: Database;
  @Inject() changes: ChangeCounter;
  @Inject() audit: Audit;
  @Inject() store: NetaClawSkillStoreService;

  async page(body: SkillPageBody): Promise<Page<Skill>> {
    const page = await pageQuery(this.database.repository(NetaClawSkillEntity), {
      request: body,
      keyWordColumns: ['name', 'description'],
      equal: { status: body.status },
    });
    return { ...page, list: page.list.map(skillOf) };
  }

  async list(): Promise<SkillListItem[]> {
    const rows = await this.database
      .repository(NetaClawSkillEntity)
      .find({ order: { name: 'ASC' } });
    return rows.map(({ name, description, status, publishedNumber }) => ({
      name,
      description,
      status,
      publishedNumber,
    }));
  }

  async info({ id, number }: SkillInfoQuery): Promise<SkillInfo> {
    const row = await this.find(id);
    const { manager } = this.database;
    const versions = await versionsOf(manager, id);
    const { version, files } = await this.full(row, number ?? row.latestNumber);
    const parsed = parseSkill(version.content, 'content');
    // What is stored was read once before it was stored.
    if (!parsed.ok) throw new Error(`the skill ${row.name} is stored with problems`);
    return {
      ...skillOf(row),
      shown: versionOf(version),
      content: version.content,
      ...parsed.skill,
      files: files.map(fileOf),
      versions: versions.map(versionOf),
      usedBy: await usedBy(manager, row.name),
    };
  }

  /** A version with its text and files. 404 for one that is not there. */
  async full({ id, name }: NetaClawSkillEntity, number: number): Promise<FullVersion> {
    const { manager } = this.database;
    const where = { skillId: id, number };
    const version = await manager.findOneBy(NetaClawSkillVersionEntity, where);
    if (!version) throw notFound(`version ${number} of the skill ${name}`);
    return { version, files: await filesOf(manager, version.id) };
  }

  async find(id: number): Promise<NetaClawSkillEntity> {
    const row = await this.database.repository(NetaClawSkillEntity).findOneBy({ id });
    if (!row) throw notFound(`the skill ${id}`);
    return row;
  }

  add({ content }: SkillAddBody, actor: Actor): Promise<Skill> {
    return this.create(packageOfText(content), actor, 'skill.add');
  }

  /** Refuses a name that is taken, with the skill that has it. */
  async create(
    content: SkillPackage,
    actor: Actor,
    action: 'skill.add' | 'skill.import',
  ): Promise<Skill> {
    const { name } = content.skill.frontMatter;
    try {
      return await this.store.create(content, actor, action);
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      const row = await this.byName(name);
      throw taken(name, row);
    }
  }

  byName(name: string): Promise<NetaClawSkillEntity | null> {
    return this.database.repository(NetaClawSkillEntity).findOneBy({ name });
  }

  /** Another text with the files of the newest version. */
  async update({ id, version, content }: SkillUpdateBody, actor: Actor): Promise<Skill> {
    const text = packageOfText(content);
    return this.store.change({ id, version, actor, action: 'skill.update' }, async (held) => {
      const newest = newestOf(held.versions);
      const rows = newest ? await filesOf(held.manager, newest.id) : [];
      await writeNext(held, withFiles(text, rows.map(packedFileOf)), actor);
    });
  }

  /** Deletes all of them or none, with every version; not those that an agent has chosen. */
  async delete(ids: readonly number[], actor: Actor): Promise<number> {
    return this.changes.change(async (manager) => {
      const rows = await manager.findBy(NetaClawSkillEntity, { id: In([...ids]) });
      const missing = ids.find((id) => !rows.some((row) => row.id === id));
      if (missing !== undefined) throw notFound(`the skill ${missing}`);
      for (const row of rows) await refuseUsed(manager, row);
      await deleteAll(
        manager,
        rows.map(({ id }) => id),
      );
      const entries = rows.map((row) => ({
        actor,
        action: 'skill.delete' as const,
        target: `skill:${row.name}`,
        before: skillOf(row),
      }));
      await this.audit.record(manager, ...entries);
      return rows.length;
    });
  }
}

/** Puts a text into the draft, or begins the next version where the newest is published. */
export async function writeNext(
  { manager, row, versions, now }: HeldSkill,
  content: SkillPackage,
  actor: Actor,
): Promise<void> {
  if (content.skill.frontMatter.name !== row.name) throw invalid([nameChanged(row.name)]);
  const author = actorLabel(actor);
  const newest: VersionRow | undefined = newestOf(versions);
  if (newest && isOpen(newest)) await replaceVersion(manager, newest.id, { content, author, now });
  else {
    const number = (newest?.number ?? 0) + 1;
    await addVersion(manager, { skillId: row.id, number, content, author, now });
  }
}

export const taken = (name: string, row: NetaClawSkillEntity | null): DomainError =>
  nameTaken(`there is already a skill named ${name}`, {
    path: 'content.name',
    current: row ? skillOf(row) : null,
  });

const withFiles = (content: SkillPackage, files: readonly PackedFile[]): SkillPackage => ({
  ...content,
  files,
});

async function usedBy(manager: EntityManager, skill: string): Promise<SkillInfo['usedBy']> {
  const agents = await manager.find(NetaClawAgentEntity, {
    select: { id: true, name: true, label: true, skills: true },
    order: { name: 'ASC' },
  });
  return agents
    .filter(({ skills }) => skills.includes(skill))
    .map(({ id, name, label }) => ({ id, name, label }));
}

async function refuseUsed(manager: EntityManager, { name }: NetaClawSkillEntity): Promise<void> {
  const agents = await usedBy(manager, name);
  if (agents.length === 0) return;
  const names = agents.map((agent) => agent.name).join(', ');
  const message = `the skill ${name} is chosen by ${names}; take it out there first, or archive it`;
  throw new DomainError('conflict', message);
}

async function deleteAll(manager: EntityManager, ids: readonly number[]): Promise<void> {
  const versions = await manager.find(NetaClawSkillVersionEntity, {
    select: { id: true },
    where: { skillId: In([...ids]) },
  });
  await manager.delete(NetaClawSkillFileEntity, { versionId: In(versions.map(({ id }) => id)) });
  await manager.delete(NetaClawSkillVersionEntity, { skillId: In([...ids]) });
  await manager.delete(NetaClawSkillEntity, [...ids]);
}
