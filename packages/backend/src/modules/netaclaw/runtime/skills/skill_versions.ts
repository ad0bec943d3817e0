import type { SkillStatus } from '@netaclaw/contracts';

/** What of a version says how it stands. */
export interface VersionFacts {
  number: number;
  status: SkillStatus;
  hash: string;
  /** What was approved; null: nothing. */
  approvedHash: string | null;
  /** Null: it never was. */
  publishedAt: Date | null;
}

/** Where a skill stands: its newest version while that is worked on, else what agents get of it. */
export function skillStatusOf(versions: readonly VersionFacts[]): SkillStatus {
  const newest = newestOf(versions);
  if (newest && isOpen(newest)) return newest.status;
  return versions.some(({ status }) => status === 'published') ? 'published' : 'archived';
}

/** The version that agents get. */
export const publishedOf = <T extends VersionFacts>(versions: readonly T[]): T | undefined =>
  versions.find(({ status }) => status === 'published');

export const newestOf = <T extends VersionFacts>(versions: readonly T[]): T | undefined =>
  versions.toSorted((a, b) => b.number - a.number)[0];

/** True while it may be changed; what was published once stays as it is. */
export const isOpen = ({ status, publishedAt }: VersionFacts): boolean =>
  publishedAt === null && (status === 'draft' || status === 'in_review');

/** Bound to the text: a change of it is approved by nobody. */
export const isApproved = ({ hash, approvedHash }: VersionFacts): boolean => approvedHash === hash;
