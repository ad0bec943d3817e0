import type { Problem } from '@netaclaw/contracts';
import { parseSkill } from './parse_skill.js';
import { isApproved, type VersionFacts } from './skill_versions.js';

/** What is looked at before a version goes to the agents. */
export interface PublishFacts extends VersionFacts {
  name: string;
  content: string;
}

/**
 * Why a version may not be published; empty: it may. The one gate before agents: whatever else a text
 * must meet before they read it is decided here.
 */
export function publishProblems(version: PublishFacts): Problem[] {
  if (version.status !== 'in_review' || !isApproved(version)) {
    return [{ path: 'id', message: notApproved(version) }];
  }
  const parsed = parseSkill(version.content, 'content');
  if (!parsed.ok) return parsed.problems;
  return parsed.skill.frontMatter.name === version.name ? [] : [nameChanged(version.name)];
}

/** A skill is known by its name, so its text may not call it otherwise. */
export const nameChanged = (name: string): Problem => ({
  path: 'content.name',
  message: `must stay "${name}": agents know the skill by it. Add another skill for another name.`,
});

function notApproved({ number, status, approvedHash }: PublishFacts): string {
  if (status !== 'in_review') {
    return `version ${number} is not in review (${status}): submit it and have it approved first`;
  }
  return approvedHash === null
    ? `version ${number} is not approved yet`
    : `version ${number} was changed after it was approved: it must be approved again`;
}
