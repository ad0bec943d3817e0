import type { SkillCandidate, SkillRelease } from '@netaclaw/contracts';
import type { ServiceRecord } from '../../sandbox/components.js';

/** A candidate as the console shows it; what its service does not say is null. */
export const candidateRow = (record: ServiceRecord): SkillCandidate => ({
  id: textOf(record['id']) ?? '',
  skillKey: textOf(record['skill_key']) ?? '',
  status: textOf(record['status']),
  payloadRef: textOf(record['payload_ref']),
  passed: booleanOf(record['latest_pass'] ?? record['passed']),
  score: numberOf(record['latest_score'] ?? record['score']),
  createTime: textOf(record['created_at']),
});

/** A release as the console shows it. */
export const releaseRow = (record: ServiceRecord): SkillRelease => {
  const version = numberOf(record['version']);
  return {
    id: textOf(record['id']) ?? '',
    skillKey: textOf(record['skill_key']) ?? '',
    candidateId: textOf(record['candidate_id']),
    stage: textOf(record['stage']),
    version: version === null ? null : Math.trunc(version),
    isActive: booleanOf(record['is_active']),
    createTime: textOf(record['promoted_at'] ?? record['created_at']),
  };
};

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const numberOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;
const booleanOf = (value: unknown): boolean | null => (typeof value === 'boolean' ? value : null);
