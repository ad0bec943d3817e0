import {
  SKILL_LIMITS,
  type Skill,
  type SkillExportBody,
  type SkillImportBody,
} from '@netaclaw/contracts';
import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { ownerOf, type Actor } from '../../../base/auth/actor.js';
import { invalid } from '../../../base/error.js';
import { NetaClawFileStoreService, type StoredFile } from '../file/file_store.js';
import { readZip } from './read_zip.js';
import { NetaClawSkillService, taken, writeNext } from './skill.js';
import {
  packageOfFiles,
  tooLargeFile,
  tooLargeTotal,
  type PackedFile,
  type SkillPackage,
} from './skill_package.js';
import { packedFileOf } from './skill_row.js';
import { NetaClawSkillStoreService } from './skill_store.js';
import { writeZip } from './write_zip.js';

/** How every zip begins, an empty one too. */
const ZIP_MARKS = new Set(['PK\u0003\u0004', 'PK\u0005\u0006']);

/** Skills that come in as files and go out as a zip. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class NetaClawSkillTransferService {
  @Inject() files: NetaClawFileStoreService;
  @Inject() skills: NetaClawSkillService;
  @Inject() store: NetaClawSkillStoreService;

  /** A new skill, or the next version of one that the caller has before them. */
  async import(body: SkillImportBody, actor: Actor): Promise<Skill> {
    const content = await this.received(body, ownerOf(actor));
    const { name } = content.skill.frontMatter;
    const row = await this.skills.byName(name);
    if (!row) return this.skills.create(content, actor, 'skill.import');
    if (body.version === undefined) throw taken(name, row);
    const change = { id: row.id, version: body.version, actor, action: 'skill.import' as const };
    return this.store.change(change, (held) => writeNext(held, content, actor));
  }

  /** A version as a zip, and what to call that. */
  async export({ id, number }: SkillExportBody): Promise<{ name: string; bytes: Buffer }> {
    const row = await this.skills.find(id);
    const { version, files } = await this.skills.full(row, number ?? row.latestNumber);
    const bytes = await writeZip(row.name, version.content, files.map(packedFileOf));
    return { name: `${row.name}-v${version.number}.zip`, bytes };
  }

  private async received({ fileId, files }: SkillImportBody, owner: string): Promise<SkillPackage> {
    if (fileId === undefined) return packageOfFiles(await this.folder(files ?? [], owner));
    const file = await this.files.find(fileId, owner);
    refuseLarge(file, { path: 'fileId', most: SKILL_LIMITS.total, message: tooLargeTotal });
    const bytes = await this.files.read(file);
    const isZip = ZIP_MARKS.has(bytes.subarray(0, 4).toString('latin1'));
    return packageOfFiles(isZip ? await readZip(bytes) : [{ path: file.name, bytes }]);
  }

  private async folder(
    files: NonNullable<SkillImportBody['files']>,
    owner: string,
  ): Promise<PackedFile[]> {
    const packed: PackedFile[] = [];
    let size = 0;
    for (const { path, fileId } of files) {
      const file = await this.files.find(fileId, owner);
      size += file.size;
      refuseLarge(file, { path, most: SKILL_LIMITS.file, message: tooLargeFile });
      if (size > SKILL_LIMITS.total) throw invalid([{ path, message: tooLargeTotal }]);
      packed.push({ path, bytes: await this.files.read(file) });
    }
    return packed;
  }
}

/** Before it is read: what is too large never comes into memory. */
function refuseLarge(
  { size }: StoredFile,
  { path, most, message }: { path: string; most: number; message: string },
): void {
  if (size > most) throw invalid([{ path, message }]);
}
