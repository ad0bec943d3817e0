import type { AgentConfig, PromptPreview, SkillListItem } from '@netaclaw/contracts';

type Chosen = Pick<AgentConfig, 'skills' | 'pinnedSkills'>;

/** More than a person reads; the search finds the rest. */
export const MOST_SHOWN = 100;

/** A skill that the agent has, with what the preview says of it. */
export interface ChosenSkill {
  name: string;
  description: string;
  isPinned: boolean;
  /** Null: it is given, or the preview is not there yet. */
  hidden: PromptPreview['skills']['hidden'][number] | null;
}

/** Those that match and are not chosen. */
export const availableSkills = (
  all: readonly SkillListItem[],
  { skills }: Chosen,
  search: string,
): SkillListItem[] => all.filter((skill) => !skills.includes(skill.name) && matches(skill, search));

/** In the agent's order. */
export function chosenSkills(
  all: readonly SkillListItem[],
  { skills, pinnedSkills }: Chosen,
  { search, preview }: { search: string; preview: PromptPreview | null },
): ChosenSkill[] {
  return skills
    .map((name) => ({
      name,
      description: all.find((skill) => skill.name === name)?.description ?? '',
      isPinned: pinnedSkills.includes(name),
      hidden: preview?.skills.hidden.find((skill) => skill.name === name) ?? null,
    }))
    .filter((skill) => matches(skill, search));
}

export const withSkill = ({ skills, pinnedSkills }: Chosen, name: string): Chosen => ({
  skills: [...skills.filter((each) => each !== name), name],
  pinnedSkills,
});

/** What is not chosen any more is not pinned either. */
export const withoutSkill = ({ skills, pinnedSkills }: Chosen, name: string): Chosen => ({
  skills: skills.filter((each) => each !== name),
  pinnedSkills: pinnedSkills.filter((each) => each !== name),
});

export const withPin = (pinned: readonly string[], name: string, isPinned: boolean): string[] => {
  const others = pinned.filter((each) => each !== name);
  return isPinned ? [...others, name] : others;
};

function matches(
  { name, description }: Pick<SkillListItem, 'name' | 'description'>,
  search: string,
): boolean {
  const part = search.trim().toLowerCase();
  return part === '' || `${name}\n${description}`.toLowerCase().includes(part);
}
