import { SKILL_LIMITS } from '@netaclaw/contracts';

/**
 * What is wrong with the path of a file of a skill, or null. A path that passes stays below the folder
 * it is laid in on every system, and looks like what it is.
 */
export function filePathProblem(path: string): string | null {
  if (path.length > SKILL_LIMITS.path) return `is longer than ${SKILL_LIMITS.path} characters`;
  if (/\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}/u.test(path)) return 'has control or invisible characters';
  if (path.includes('\\')) return 'has a backslash; part folders with /';
  if (/^[A-Za-z]:/.test(path)) return 'begins with a drive letter; it must be relative';
  if (path.startsWith('/')) return 'is absolute; it must be relative';
  const parts = path.split('/');
  if (parts.includes('..')) return 'leads out of the folder by ".."';
  if (parts.some((part) => part === '' || part === '.')) return 'has an empty part';
  return null;
}

/** Names that a system which does not tell cases apart would take for one. */
export const samePathKey = (path: string): string => path.normalize('NFC').toLowerCase();
