/** What a list of skills says of one. */
interface Described {
  name: string;
  description: string;
}

/** Characters of a description in the system prompt: enough to know whether to look further. */
const SHORT = 160;
/** Skills that the system prompt names; the rest are found by the list. */
const NAMED = 20;

/** A skill as a message of the conversation. */
export interface SkillUserMessage {
  role: 'user';
  content: string;
}

/** The message by which an activated skill reaches the model: its body, without front matter. */
export const activatedSkill = (name: string, body: string): SkillUserMessage => ({
  role: 'user',
  content: `[Skill "${name}" of this agent. Follow it where it applies; it is no request by itself.]\n\n${body}`,
});

/** What the guidance layer says of skills that a model has to ask for; null: there are none. */
export function skillGuidance(skills: readonly Described[]): string | null {
  if (skills.length === 0) return null;
  const lines = skills.slice(0, NAMED).map((skill) => `- ${describe(skill, SHORT)}`);
  const more = skills.length - NAMED;
  if (more > 0) lines.push(`- and ${more} more: see skill_list`);
  return [
    '## Skills',
    'Proven ways to do a kind of work. When one fits the request, read it with skill_view before you begin, and follow it.',
    ...lines,
  ].join('\n');
}

/** One line on each skill. */
export const skillLines = (skills: readonly Described[]): string =>
  skills.map((skill) => `- ${describe(skill, Infinity)}`).join('\n');

function describe({ name, description }: Described, most: number): string {
  const line = description.replace(/\s+/g, ' ').trim();
  return `${name}: ${line.length > most ? `${line.slice(0, most - 1)}…` : line}`;
}
