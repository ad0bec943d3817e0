import { createHash } from 'node:crypto';
import { isUtf8 } from 'node:buffer';
import { SKILL_DOCUMENT, SKILL_LIMITS, type Problem } from '@netaclaw/contracts';
import { invalid } from '../../../base/error.js';
import { filePathProblem, samePathKey } from '../../runtime/skills/file_path.js';
import { parseSkill, type ParsedSkill } from '../../runtime/skills/parse_skill.js';

/** A file of a folder or of a zip, with its path there. */
export interface PackedFile {
  path: string;
  bytes: Buffer;
}

/** A skill with everything that belongs to it. */
export interface SkillPackage {
  content: string;
  skill: ParsedSkill;
  /** Beside SKILL.md, sorted by path. */
  files: readonly PackedFile[];
}

/** A SKILL.md alone. Throws `DomainError` with every problem below `content`. */
export function packageOfText(content: string, files: readonly PackedFile[] = []): SkillPackage {
  return packed(content, files, 'content');
}

/** The skill in a folder's or a zip's files. Throws `DomainError` with every problem at its path. */
export function packageOfFiles(all: readonly PackedFile[]): SkillPackage {
  const entries = all.filter(({ path }) => !isLitter(path));
  const problems = [...entryProblems(entries), ...sizeProblems(entries)];
  if (problems.length > 0) throw invalid(problems);
  const folder = folderOf(entries);
  const inside = entries.map(({ path, bytes }) => ({ path: path.slice(folder.length), bytes }));
  const document = inside.find(({ path }) => path === SKILL_DOCUMENT);
  if (!document) throw invalid([{ path: SKILL_DOCUMENT, message: 'is missing' }]);
  if (!isUtf8(document.bytes)) {
    throw invalid([{ path: SKILL_DOCUMENT, message: 'is no UTF-8 text' }]);
  }
  const files = inside.filter((file) => file !== document);
  return packed(document.bytes.toString('utf8'), files, SKILL_DOCUMENT);
}

/** Names a package's very content: SKILL.md and each file with its path. */
export function hashOf({ content, files }: Pick<SkillPackage, 'content' | 'files'>): string {
  const hash = createHash('sha256').update(digest(Buffer.from(content)));
  for (const { path, bytes } of files) hash.update(digest(Buffer.from(path))).update(digest(bytes));
  return hash.digest('hex');
}

const digest = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();

function packed(content: string, files: readonly PackedFile[], where: string): SkillPackage {
  const parsed = parseSkill(content, where);
  if (!parsed.ok) throw invalid(parsed.problems);
  const sorted = files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  return { content, skill: parsed.skill, files: sorted };
}

/** What systems lay beside files by themselves. */
const isLitter = (path: string): boolean =>
  path.startsWith('__MACOSX/') || /(^|\/)(\.DS_Store|Thumbs\.db)$/.test(path);

function entryProblems(entries: readonly PackedFile[]): Problem[] {
  const seen = new Set<string>();
  return entries.flatMap(({ path }) => {
    const message = filePathProblem(path);
    if (message !== null) return [{ path: shown(path), message }];
    const key = samePathKey(path);
    if (seen.has(key)) return [{ path: shown(path), message: 'is there twice' }];
    seen.add(key);
    return [];
  });
}

/** A path as it can be read: what hides in it is made visible. */
export const shown = (path: string): string =>
  path.replace(/\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}/gu, '\uFFFD').slice(0, SKILL_LIMITS.path);

function sizeProblems(entries: readonly PackedFile[]): Problem[] {
  const problems = entries
    .filter(({ bytes }) => bytes.length > SKILL_LIMITS.file)
    .map(({ path }) => ({ path: shown(path), message: tooLargeFile }));
  if (entries.length > SKILL_LIMITS.files + 1) problems.push({ path: '', message: tooManyFiles });
  const total = entries.reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (total > SKILL_LIMITS.total) problems.push({ path: '', message: tooLargeTotal });
  return problems;
}

const MIB = 1024 * 1024;
export const tooLargeFile = `is larger than ${SKILL_LIMITS.file / MIB} MiB`;
export const tooManyFiles = `a skill has at most ${SKILL_LIMITS.files} files beside ${SKILL_DOCUMENT}`;
export const tooLargeTotal = `a skill has at most ${SKILL_LIMITS.total / MIB} MiB unpacked`;

/** The folder that holds the skill, as people pack it: none, or one around all of it. */
function folderOf(entries: readonly PackedFile[]): string {
  if (entries.some(({ path }) => path === SKILL_DOCUMENT)) return '';
  const documents = entries.filter(({ path }) => path.endsWith(`/${SKILL_DOCUMENT}`));
  const [document] = documents.toSorted((a, b) => a.path.length - b.path.length);
  if (!document) {
    const message = `is missing: a skill is a folder with a ${SKILL_DOCUMENT} in it`;
    throw invalid([{ path: SKILL_DOCUMENT, message }]);
  }
  const folder = document.path.slice(0, -SKILL_DOCUMENT.length);
  const outside = entries.filter(({ path }) => !path.startsWith(folder));
  if (outside.length === 0) return folder;
  throw invalid(
    outside.map(({ path }) => ({
      path: shown(path),
      message: `lies outside of the skill's folder ${folder}; import one skill at a time`,
    })),
  );
}
