import type { Agent, AgentSkills } from '@netaclaw/contracts';
import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import {
  decideSkills,
  type DecidedSkills,
  type PublishedSkill,
} from '../../runtime/skills/decide_skills.js';
import {
  activatedSkill,
  skillGuidance,
  type SkillUserMessage,
} from '../../runtime/skills/skill_texts.js';
import { estimateTokens } from '../../runtime/estimate.js';
import type { ResolvedTools } from '../../runtime/tools/resolve_tools.js';
import type { SkillReading, SkillShelf } from '../../tools/source.js';
import { NetaClawSkillDirectoryService } from './skill_directory.js';

/** An activated skill as the model is sent it. */
export interface SkillMessage {
  name: string;
  message: SkillUserMessage;
  tokens: number;
}

/** What the skills of an agent come to in one situation. */
export interface SkillContext {
  skills: AgentSkills;
  /** One for each activated skill; they stand behind the system prompt. */
  messages: readonly SkillMessage[];
  /** Sections for the guidance layer. */
  guidance: readonly string[];
  warnings: readonly string[];
  /** What the tools of skills act on. */
  shelf: SkillShelf;
}

const NO_SKILLS: SkillContext = {
  skills: { active: [], hidden: [] },
  messages: [],
  guidance: [],
  warnings: [],
  shelf: { list: () => [], read: async (name) => notHere(name, []) },
};

/** The skills of an agent: those whose tools are granted are shown to it, the others hidden with a reason. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class NetaClawSkillContextService {
  @Inject() directory: NetaClawSkillDirectoryService;

  /** Fed by what the resolver granted, so that a skill never counts on a tool that is not there. */
  async contextFor(
    { skills, pinnedSkills }: Pick<Agent, 'skills' | 'pinnedSkills'>,
    { builtinToolNames, toolNames }: Pick<ResolvedTools, 'builtinToolNames' | 'toolNames'>,
  ): Promise<SkillContext> {
    if (skills.length === 0) return NO_SKILLS;
    const known = await this.directory.known();
    const decided = decideSkills({
      chosen: skills,
      pinned: pinnedSkills,
      builtinToolNames,
      toolNames,
      known,
    });
    return {
      skills: agentSkillsOf(decided),
      messages: await Promise.all(decided.activated.map((skill) => this.message(skill))),
      guidance: canAsk(toolNames) ? guidanceOf(decided) : [],
      warnings: decided.warnings,
      shelf: this.shelfOf(decided.visible),
    };
  }

  private async message(skill: PublishedSkill): Promise<SkillMessage> {
    const { body } = await this.directory.text(skill);
    const message = activatedSkill(skill.name, body);
    return { name: skill.name, message, tokens: estimateTokens(body) };
  }

  private shelfOf(visible: readonly PublishedSkill[]): SkillShelf {
    return {
      list: () => visible.map(({ name, description }) => ({ name, description })),
      read: async (name, file) => {
        const skill = visible.find((each) => each.name === name);
        if (!skill) return notHere(name, visible);
        return file === null ? this.readBody(skill) : this.readFile(skill, file);
      },
    };
  }

  private async readBody(skill: PublishedSkill): Promise<SkillReading> {
    const { body, files } = await this.directory.text(skill);
    return { found: true, text: body, files };
  }

  private async readFile(skill: PublishedSkill, path: string): Promise<SkillReading> {
    const file = await this.directory.file(skill, path);
    if (!file) {
      const { files } = await this.directory.text(skill);
      const there = files.length === 0 ? 'It has no files.' : `It has: ${files.join(', ')}.`;
      return { found: false, problem: `The skill ${skill.name} has no file "${path}". ${there}` };
    }
    if (file.encoding === 'utf8') return { found: true, text: file.content, files: [] };
    const problem = `The file "${path}" of the skill ${skill.name} is no text (${file.size} bytes).`;
    return { found: false, problem };
  }
}

const agentSkillsOf = ({ visible, hidden, activated }: DecidedSkills): AgentSkills => ({
  active: visible.map((skill) => ({
    name: skill.name,
    description: skill.description,
    number: skill.number,
    hash: skill.hash,
    activated: activated.includes(skill),
    tokens: skill.tokens,
  })),
  hidden: [...hidden],
});

/** The prompt names no tool that is not there. */
const canAsk = (toolNames: readonly string[]): boolean =>
  toolNames.includes('skill_view') && toolNames.includes('skill_list');

function guidanceOf({ visible, activated }: DecidedSkills): string[] {
  const text = skillGuidance(visible.filter((skill) => !activated.includes(skill)));
  return text === null ? [] : [text];
}

/** Says the same of a skill that is hidden, another agent's, or none at all. */
function notHere(name: string, visible: readonly PublishedSkill[]): SkillReading {
  const names = visible.map((skill) => skill.name).join(', ');
  const there = names === '' ? 'It has no skills now.' : `It has: ${names}.`;
  return { found: false, problem: `This agent has no skill "${name}". ${there}` };
}
