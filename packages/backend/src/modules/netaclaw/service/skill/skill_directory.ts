import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { LRUCache } from 'lru-cache';
import { ChangeCounter, Versioned } from '../../../base/data/change_counter.js';
import { Database } from '../../../base/data/database.js';
import { NetaClawSkillEntity } from '../../entity/skill.js';
import { NetaClawSkillFileEntity } from '../../entity/skill_file.js';
import { NetaClawSkillVersionEntity } from '../../entity/skill_version.js';
import type { KnownSkill, PublishedSkill } from '../../runtime/skills/decide_skills.js';
import { parseSkill } from '../../runtime/skills/parse_skill.js';

/** Texts kept: those that runs read over and over. */
const TEXTS_KEPT = 500;
const BYTES_KEPT = 32 * 1024 * 1024;

/** What a model reads of a published version. */
export interface SkillText {
  /** Without front matter. */
  body: string;
  /** Paths of its files. */
  files: readonly string[];
}

/**
 * The skills as runs see them: all of them without their texts, read once per version of the governance.
 * A published text never changes, so one that was read is kept.
 */
@Provide()
@Scope(ScopeEnum.Singleton)
export class NetaClawSkillDirectoryService {
  @Inject() database: Database;
  @Inject() changes: ChangeCounter;
  private kept: Versioned<ReadonlyMap<string, KnownSkill>>;
  private readonly texts = new LRUCache<number, SkillText>({
    max: TEXTS_KEPT,
    maxSize: BYTES_KEPT,
    sizeCalculation: ({ body }) => body.length + 1,
  });

  /** Every skill by its name. */
  known(): Promise<ReadonlyMap<string, KnownSkill>> {
    this.kept ??= new Versioned(this.changes, () => this.load());
    return this.kept.get();
  }

  async text({ name, versionId }: PublishedSkill): Promise<SkillText> {
    const known = this.texts.get(versionId);
    if (known) return known;
    const { content } = await this.database
      .repository(NetaClawSkillVersionEntity)
      .findOneOrFail({ select: { id: true, content: true }, where: { id: versionId } });
    const files = await this.database
      .repository(NetaClawSkillFileEntity)
      .find({ select: { id: true, path: true }, where: { versionId }, order: { path: 'ASC' } });
    const parsed = parseSkill(content, 'content');
    if (!parsed.ok) throw new Error(`the skill ${name} is stored with problems`);
    const text = { body: parsed.skill.body, files: files.map(({ path }) => path) };
    this.texts.set(versionId, text);
    return text;
  }

  /** Null: the version has no such file. */
  file({ versionId }: PublishedSkill, path: string): Promise<NetaClawSkillFileEntity | null> {
    return this.database.repository(NetaClawSkillFileEntity).findOneBy({ versionId, path });
  }

  private async load(): Promise<ReadonlyMap<string, KnownSkill>> {
    const skills = await this.database
      .repository(NetaClawSkillEntity)
      .find({ select: { id: true, name: true } });
    const versions = await this.database.repository(NetaClawSkillVersionEntity).find({
      select: {
        id: true,
        skillId: true,
        number: true,
        hash: true,
        description: true,
        allowedTools: true,
        tokens: true,
      },
      where: { status: 'published' },
    });
    const bySkill = new Map(versions.map((version) => [version.skillId, version]));
    return new Map(skills.map(({ id, name }) => [name, knownOf(name, bySkill.get(id))]));
  }
}

function knownOf(name: string, version: NetaClawSkillVersionEntity | undefined): KnownSkill {
  if (!version) return { name, published: null };
  const { id, number, hash, description, allowedTools, tokens } = version;
  return {
    name,
    published: { name, description, allowedTools, versionId: id, number, hash, tokens },
  };
}
