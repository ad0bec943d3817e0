import { skillSchema, SKILL_LIMITS, type Skill, type SkillImportBody } from '@netaclaw/contracts';
import { z } from 'zod';
import type { RequestFailure } from '../../failure.js';
import { uploadFile } from './service.js';

/** What of an import is a person's to say. */
export type Picked = { kind: 'file'; file: File } | { kind: 'folder'; files: readonly File[] };

/** The most files that a folder may have: SKILL.md and those beside it. */
export const MOST_FILES = SKILL_LIMITS.files + 1;

/** Uploads what was picked, one file after the other; answers what the import is asked with. */
export async function uploadPicked(picked: Picked): Promise<SkillImportBody> {
  if (picked.kind === 'file') return { fileId: await uploadFile(picked.file) };
  const files: { path: string; fileId: string }[] = [];
  for (const file of picked.files) {
    files.push({ path: file.webkitRelativePath || file.name, fileId: await uploadFile(file) });
  }
  return { files };
}

/** The skill that is there already under the same name; null for any other refusal. */
export function takenBy(failure: RequestFailure): Skill | null {
  if (failure.kind !== 'conflict') return null;
  const parsed = z.object({ current: skillSchema }).safeParse(failure.details);
  return parsed.success ? parsed.data.current : null;
}
