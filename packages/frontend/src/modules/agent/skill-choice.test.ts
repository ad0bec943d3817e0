import type { PromptPreview, SkillListItem } from '@netaclaw/contracts';
import { describe, expect, it } from 'vitest';
import { availableSkills, chosenSkills, withoutSkill, withPin, withSkill } from './skill-choice.js';

const item = (name: string, description = ''): SkillListItem => ({
  name,
  description,
  status: 'published',
  publishedNumber: 1,
});
const all = [item('forms', 'Fills in a PDF'), item('notes'), item('review', 'Reads code')];
const agent = { skills: ['review', 'forms'], pinnedSkills: ['forms'] };
const names = (skills: readonly { name: string }[]): string[] => skills.map(({ name }) => name);

const preview: PromptPreview = {
  layers: [],
  prompt: '',
  toolNames: [],
  builtinToolNames: [],
  disabledReasons: [],
  warnings: [],
  modelCapability: { value: 'text', origin: 'fallback' },
  skills: {
    active: [],
    hidden: [{ name: 'review', reason: 'tools_not_granted', detail: 'It works with bash.' }],
  },
  skillMessages: [],
};

describe('the skills of an agent', () => {
  it('are chosen or available, never both, and searched by name and description', () => {
    expect(names(availableSkills(all, agent, ''))).toEqual(['notes']);
    expect(names(availableSkills(all, { skills: [], pinnedSkills: [] }, 'pdf'))).toEqual(['forms']);
    expect(names(chosenSkills(all, agent, { search: '', preview }))).toEqual(['review', 'forms']);
    expect(names(chosenSkills(all, agent, { search: 'CODE', preview }))).toEqual(['review']);
  });

  it('say why they are hidden, and which are pinned', () => {
    const [review, forms] = chosenSkills(all, agent, { search: '', preview });
    expect(review).toMatchObject({ isPinned: false, hidden: { reason: 'tools_not_granted' } });
    expect(forms).toMatchObject({ isPinned: true, hidden: null });
  });

  it('are listed also when they are gone', () => {
    const gone = { skills: ['gone'], pinnedSkills: [] };
    expect(chosenSkills(all, gone, { search: '', preview: null })).toEqual([
      { name: 'gone', description: '', isPinned: false, hidden: null },
    ]);
  });

  it('are put in and taken out, with their pins', () => {
    expect(withSkill(agent, 'notes').skills).toEqual(['review', 'forms', 'notes']);
    expect(withoutSkill(agent, 'forms')).toEqual({ skills: ['review'], pinnedSkills: [] });
    expect(withPin(['forms'], 'review', true)).toEqual(['forms', 'review']);
    expect(withPin(['forms'], 'forms', false)).toEqual([]);
  });
});
