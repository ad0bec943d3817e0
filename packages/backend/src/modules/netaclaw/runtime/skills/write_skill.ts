import type { SkillFrontMatter } from '@netaclaw/contracts';
import { stringify } from 'yaml';
import type { ParsedSkill } from './parse_skill.js';

/** The text of a SKILL.md; `parseSkill` reads the same back. */
export function writeSkill({ frontMatter, body }: ParsedSkill): string {
  const yaml = stringify(fieldsOf(frontMatter), { lineWidth: 0 });
  return `---\n${yaml}---\n\n${body.trim()}\n`;
}

/** As the standard names and orders them; what is empty is left out. */
const fieldsOf = (skill: SkillFrontMatter): Record<string, unknown> => ({
  name: skill.name,
  description: skill.description,
  ...(skill.license === null ? {} : { license: skill.license }),
  ...(skill.compatibility === null ? {} : { compatibility: skill.compatibility }),
  ...(Object.keys(skill.metadata).length === 0 ? {} : { metadata: skill.metadata }),
  ...(skill.allowedTools.length === 0 ? {} : { 'allowed-tools': skill.allowedTools.join(' ') }),
});
