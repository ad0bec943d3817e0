import type { Skill, SkillFile, SkillVersion } from '@netaclaw/contracts';
import type { NetaClawSkillEntity } from '../../entity/skill.js';
import type { NetaClawSkillFileEntity } from '../../entity/skill_file.js';
import type { NetaClawSkillVersionEntity } from '../../entity/skill_version.js';
import { isApproved } from '../../runtime/skills/skill_versions.js';
import type { PackedFile } from './skill_package.js';

/** A version without its text. */
export type VersionRow = Omit<NetaClawSkillVersionEntity, 'content'>;

/** A row as the API shows it. */
export const skillOf = (row: NetaClawSkillEntity): Skill => ({
  id: row.id,
  name: row.name,
  description: row.description,
  status: row.status,
  publishedNumber: row.publishedNumber,
  latestNumber: row.latestNumber,
  version: row.version,
  createTime: row.createTime.toISOString(),
  updateTime: row.updateTime.toISOString(),
});

export const versionOf = (row: VersionRow): SkillVersion => ({
  number: row.number,
  status: row.status,
  hash: row.hash,
  author: row.author,
  approvedBy: isApproved(row) ? row.approvedBy : null,
  comment: row.comment,
  publishedAt: row.publishedAt?.toISOString() ?? null,
  createTime: row.createTime.toISOString(),
  updateTime: row.updateTime.toISOString(),
});

export const fileOf = ({ path, size, encoding, content }: NetaClawSkillFileEntity): SkillFile => ({
  path,
  size,
  text: encoding === 'utf8' ? content : null,
});

export const packedFileOf = ({ path, encoding, content }: NetaClawSkillFileEntity): PackedFile => ({
  path,
  bytes: Buffer.from(content, encoding),
});
