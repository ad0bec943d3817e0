import { describe, expect, it } from 'vitest';
import { decideSkills, PINNED_TOKENS, type KnownSkill, type SkillFacts } from './decide_skills.js';

const skill = (name: string, fields: { tools?: string[]; tokens?: number } = {}): KnownSkill => ({
  name,
  published: {
    name,
    description: `About ${name}.`,
    allowedTools: fields.tools ?? [],
    versionId: 1,
    number: 1,
    hash: 'h',
    tokens: fields.tokens ?? 10,
  },
});

const known = new Map(
  [
    skill('plain'),
    skill('reads', { tools: ['read_file'] }),
    skill('runs', { tools: ['bash(git:*)', 'read_file', 'python'] }),
    skill('plans', { tools: ['todo'] }),
    skill('both', { tools: ['todo', 'bash'] }),
    skill('large', { tokens: PINNED_TOKENS - 5 }),
    skill('huge', { tokens: PINNED_TOKENS + 1 }),
    { name: 'waiting', published: null },
  ].map((each) => [each.name, each]),
);

const decide = (facts: Partial<SkillFacts>) =>
  decideSkills({
    chosen: [],
    pinned: [],
    builtinToolNames: ['read_file'],
    toolNames: ['read_file', 'todo'],
    known,
    ...facts,
  });

const names = (skills: readonly { name: string }[]): string[] => skills.map(({ name }) => name);

describe('the skills of an agent', () => {
  it('are those whose tools are granted, in its order and once each', () => {
    const { visible, hidden } = decide({ chosen: ['reads', 'plain', 'reads'] });
    expect([names(visible), hidden]).toEqual([['reads', 'plain'], []]);
  });

  it.each([
    ['plans', /^It counts on todo, which the agent has, but no skill may count on\./],
    ['both', /^It works with bash, .*It counts on todo,/],
  ])('%s: a tool that the agent has is not told as missing', (name, detail) => {
    const { hidden } = decide({ chosen: [name] });
    expect(hidden).toMatchObject([
      { name, reason: 'tools_not_granted', detail: expect.stringMatching(detail) },
    ]);
  });

  it('are hidden with the reason otherwise, and the missing tools are named', () => {
    const { visible, hidden } = decide({ chosen: ['runs', 'waiting', 'gone', 'plain'] });
    expect(names(visible)).toEqual(['plain']);
    expect(hidden.map(({ name, reason }) => [name, reason])).toEqual([
      ['runs', 'tools_not_granted'],
      ['waiting', 'not_published'],
      ['gone', 'not_found'],
    ]);
    expect(hidden[0]?.detail).toMatch(/bash, python/);
    expect(hidden[0]?.detail).not.toMatch(/read_file/);
    for (const { detail } of hidden) expect(detail).toMatch(/^[A-Z].*\.$/);
  });

  it('are activated when they are pinned, and only then', () => {
    const { activated } = decide({ chosen: ['plain', 'reads'], pinned: ['reads'] });
    expect(names(activated)).toEqual(['reads']);
  });

  it('are not activated when they are hidden or not chosen', () => {
    expect(decide({ chosen: ['runs'], pinned: ['runs', 'plain'] }).activated).toEqual([]);
  });

  it('are activated in the order of the pins as far as the room goes; the rest stays listed', () => {
    const facts = {
      chosen: ['plain', 'large', 'huge', 'reads'],
      pinned: ['large', 'plain', 'huge'],
    };
    const { activated, visible, warnings } = decide(facts);
    expect(names(activated)).toEqual(['large']);
    expect(names(visible)).toEqual(facts.chosen);
    expect(warnings).toEqual([expect.stringMatching(/plain/), expect.stringMatching(/huge/)]);
  });
});
