import type { HiddenSkill } from '@netaclaw/contracts';
import { toolNamesOf } from './parse_skill.js';

/** A skill as the store knows it; `published` null: agents get nothing of it. */
export interface KnownSkill {
  name: string;
  published: PublishedSkill | null;
}

/** What is known of a published version without its text. */
export interface PublishedSkill {
  name: string;
  description: string;
  allowedTools: readonly string[];
  versionId: number;
  number: number;
  hash: string;
  /** About how many its body has. */
  tokens: number;
}

export interface SkillFacts {
  /** Those the agent has chosen, in its order. */
  chosen: readonly string[];
  /** Those of them whose text is to be a message of every turn, in order of precedence. */
  pinned: readonly string[];
  /** The resolver's: what a skill may count on. */
  builtinToolNames: readonly string[];
  /** All that the resolver granted, those too that a skill may not count on. */
  toolNames: readonly string[];
  known: ReadonlyMap<string, KnownSkill>;
}

export interface DecidedSkills {
  visible: readonly PublishedSkill[];
  hidden: readonly HiddenSkill[];
  /** Visible ones whose text is sent with every turn. */
  activated: readonly PublishedSkill[];
  warnings: readonly string[];
}

/** Tokens that the texts of an agent's pinned skills may have together: they are sent with every model call. */
export const PINNED_TOKENS = 8_000;

/** Which of its skills an agent gets, and why not the others. Pure: the same facts give the same answer. */
export function decideSkills(facts: SkillFacts): DecidedSkills {
  const granted = new Set(facts.builtinToolNames);
  const visible: PublishedSkill[] = [];
  const hidden: HiddenSkill[] = [];
  for (const name of new Set(facts.chosen)) {
    const verdict = verdictOn(name, facts, granted);
    if ('reason' in verdict) hidden.push(verdict);
    else visible.push(verdict);
  }
  return { visible, hidden, ...pinnedOf(facts.pinned, visible) };
}

function verdictOn(
  name: string,
  { known, toolNames }: SkillFacts,
  granted: ReadonlySet<string>,
): PublishedSkill | HiddenSkill {
  const skill = known.get(name);
  if (!skill) {
    const detail = 'There is no such skill any more. Take it out in Agents > Skills.';
    return { name, reason: 'not_found', detail };
  }
  if (!skill.published) {
    const detail = 'No version of it is published. Publish one in Skills.';
    return { name, reason: 'not_published', detail };
  }
  const missing = toolNamesOf(skill.published.allowedTools).filter((tool) => !granted.has(tool));
  if (missing.length === 0) return skill.published;
  return { name, reason: 'tools_not_granted', detail: toolsDetail(missing, toolNames) };
}

function toolsDetail(missing: readonly string[], toolNames: readonly string[]): string {
  const reserved = missing.filter((tool) => toolNames.includes(tool));
  const absent = missing.filter((tool) => !toolNames.includes(tool));
  return [
    ...(absent.length > 0 ? [needsTools(absent)] : []),
    ...(reserved.length > 0 ? [countsOnReserved(reserved)] : []),
  ].join(' ');
}

const countsOnReserved = (reserved: readonly string[]): string =>
  `It counts on ${reserved.join(', ')}, which the agent has, but no skill may count on. ` +
  'Take the name out of allowed-tools of the skill.';

const needsTools = (missing: readonly string[]): string =>
  `It works with ${missing.join(', ')}, which the agent does not have here. ` +
  'Grant the tools in Agents > Tool configuration, or see there why they are missing.';

/** In order, as long as they fit; what does not is listed like the others, and a warning says so. */
function pinnedOf(
  pinned: readonly string[],
  visible: readonly PublishedSkill[],
): Pick<DecidedSkills, 'activated' | 'warnings'> {
  const activated: PublishedSkill[] = [];
  const warnings: string[] = [];
  let left = PINNED_TOKENS;
  for (const name of new Set(pinned)) {
    const skill = visible.find((each) => each.name === name);
    if (!skill) continue;
    if (skill.tokens > left) warnings.push(doesNotFit(skill));
    else {
      activated.push(skill);
      left -= skill.tokens;
    }
  }
  return { activated, warnings };
}

const doesNotFit = ({ name, tokens }: PublishedSkill): string =>
  `The pinned skill ${name} (about ${tokens} tokens) does not fit beside the others into ${PINNED_TOKENS} tokens; ` +
  'it is listed, and the model can ask for it.';
