import type { SkillInfo } from '@netaclaw/contracts';
import { archiveSkill, deleteSkill, publishSkill, reviewSkill } from './service.js';

/** What can be done to a skill as it stands. */
export type SkillStep = 'submit' | 'approve' | 'reject' | 'publish' | 'archive' | 'delete';

/** What can be done now. The server decides; this only leaves out what makes no sense. */
export function stepsOf({ versions, publishedNumber, usedBy }: SkillInfo): SkillStep[] {
  const newest = versions[0];
  const steps: SkillStep[] = [];
  if (newest?.status === 'draft') steps.push('submit');
  if (newest?.status === 'in_review') {
    steps.push(newest.approvedBy === null ? 'approve' : 'publish', 'reject');
  }
  if (publishedNumber !== null) steps.push('archive');
  if (usedBy.length === 0) steps.push('delete');
  return steps;
}

/** Does it to the skill as the person has it before them. */
export async function takeStep(
  step: SkillStep,
  { id, version }: Pick<SkillInfo, 'id' | 'version'>,
  comment: string,
): Promise<void> {
  switch (step) {
    case 'submit':
    case 'approve':
    case 'reject': {
      const said = comment.trim() === '' ? {} : { comment: comment.trim() };
      await reviewSkill({ id, version, decision: step, ...said });
      return;
    }
    case 'publish':
      await publishSkill({ id, version });
      return;
    case 'archive':
      await archiveSkill({ id, version });
      return;
    case 'delete':
      await deleteSkill(id);
      return;
    default:
      step satisfies never;
  }
}
