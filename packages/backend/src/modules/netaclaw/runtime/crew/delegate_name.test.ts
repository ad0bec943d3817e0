import { describe, expect, it } from 'vitest';
import { crewProblems, delegateToolName, memberNameOf, type CrewShape } from './delegate_name.js';

describe('the tool of a member', () => {
  it.each([
    [{ alias: null, agentName: 'code-reviewer' }, 'delegate_code_reviewer'],
    [{ alias: 'checker', agentName: 'code-reviewer' }, 'delegate_checker'],
    [{ alias: 'second-look', agentName: 'code-reviewer' }, 'delegate_second_look'],
    [{ alias: 'second_look', agentName: 'code-reviewer' }, 'delegate_second_look'],
  ])('of %j is %s', (member, tool) => {
    expect(delegateToolName(memberNameOf(member))).toBe(tool);
  });
});

describe('crewProblems', () => {
  const agents = new Map([
    [1, 'chief'],
    [2, 'a-b'],
    [3, 'writer'],
    [4, 'x'.repeat(60)],
  ]);
  const of = (...members: CrewShape['members']): CrewShape => ({ masterAgentId: 1, members });

  const rows: [string, CrewShape, string[]][] = [
    ['two members', of({ agentId: 2 }, { agentId: 3 }), []],
    ['an unknown master', { masterAgentId: 9, members: [{ agentId: 2 }] }, ['masterAgentId']],
    ['an unknown member', of({ agentId: 2 }, { agentId: 9 }), ['members.1.agentId']],
    ['one member twice', of({ agentId: 2 }, { agentId: 2, alias: 'c' }), ['members.1.agentId']],
    ['its master as a member', of({ agentId: 1 }), ['members.0.agentId']],
    [
      'two equal aliases',
      of({ agentId: 2, alias: 'x' }, { agentId: 3, alias: 'x' }),
      ['members.1.alias'],
    ],
    [
      "an alias that is another's name",
      of({ agentId: 2 }, { agentId: 3, alias: 'a_b' }),
      ['members.1.alias'],
    ],
    [
      'aliases that differ in the hyphen',
      of({ agentId: 2, alias: 'p-q' }, { agentId: 3, alias: 'p_q' }),
      ['members.1.alias'],
    ],
    ['a name too long for a tool', of({ agentId: 4 }), ['members.0.alias']],
    ['a long name with an alias', of({ agentId: 4, alias: 'x' }), []],
    [
      'several faults',
      { masterAgentId: 9, members: [{ agentId: 8 }, { agentId: 9 }] },
      ['masterAgentId', 'members.0.agentId', 'members.1.agentId'],
    ],
  ];

  it.each(rows)('finds in a crew with %s: %j -> %j', (_what, crew, paths) => {
    expect(crewProblems(crew, agents).map(({ path }) => path)).toEqual(paths);
  });

  it('says which tool two members would share', () => {
    const [problem] = crewProblems(of({ agentId: 2 }, { agentId: 3, alias: 'a-b' }), agents);
    expect(problem?.message).toContain('delegate_a_b');
    expect(problem?.message).toContain('members.0');
  });
});
