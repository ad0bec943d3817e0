import type { AgentConfig } from '@netaclaw/contracts';
import { describe, expect, it } from 'vitest';
import { governedTool, registryOf } from '../../../../../test/governed_tools.js';
import { agentProblems, lockedTools, unknownDriver } from './agent_rules.js';

const registry = registryOf(
  governedTool('bash'),
  governedTool('todo', { isCore: true, canDisable: false }),
  governedTool('gone', { inCatalog: false }),
);

const skillNames = new Set(['review']);

describe('agentProblems', () => {
  const rows: [string, Partial<AgentConfig>, string[]][] = [
    ['nothing', {}, []],
    ['the default toolsets', { toolsets: null }, []],
    ['no toolsets', { toolsets: [] }, []],
    ['toolsets that are there', { toolsets: ['base', 'planning'] }, []],
    ['a reserved toolset', { toolsets: ['document'] }, []],
    ['unknown toolsets', { toolsets: ['base', 'magic', ''] }, ['toolsets.1', 'toolsets.2']],
    ['a tool that is there', { tools: { disabled: ['bash'] } }, []],
    ['a tool that the code forgot', { tools: { disabled: ['gone'] } }, []],
    ['an unknown tool', { tools: { disabled: ['bash', 'bsah'] } }, ['tools.disabled.1']],
    ['no choice of tools', { tools: {} }, []],
    ['skills that are there', { skills: ['review'], pinnedSkills: ['review'] }, []],
    ['unknown skills', { skills: ['a', 'review', 'b'] }, ['skills.0', 'skills.2']],
    [
      'a pinned skill that it has not',
      { skills: ['review'], pinnedSkills: ['review', 'other'] },
      ['pinnedSkills.1'],
    ],
    ['pinned skills alone', { pinnedSkills: ['other'] }, []],
    ['a sandbox without a driver', { runtime: 'sandbox', sandbox: null }, ['sandbox']],
    ['a sandbox that says nothing of a driver', { runtime: 'sandbox' }, ['sandbox']],
    ['a sandbox with a driver', { runtime: 'sandbox', sandbox: { driver: 'boxlite' } }, []],
    ['a local computer', { runtime: 'local', sandbox: null }, []],
    [
      'several faults at once',
      { toolsets: ['magic'], tools: { disabled: ['x'] }, runtime: 'sandbox' },
      ['toolsets.0', 'tools.disabled.0', 'sandbox'],
    ],
  ];

  it.each(rows)('finds in an agent with %s: %j -> %j', (_what, config, paths) => {
    expect(agentProblems(config, registry, skillNames).map(({ path }) => path)).toEqual(paths);
  });

  it('names what is unknown, and the toolsets there are', () => {
    const config = { toolsets: ['magic'], tools: { disabled: ['x'] } };
    const problems = agentProblems(config, registry, skillNames);
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringMatching(/"magic".+base, planning/),
      'there is no tool "x"',
    ]);
  });
});

describe('unknownDriver', () => {
  it.each<[Partial<AgentConfig>, string[]]>([
    [{}, []],
    [{ sandbox: null }, []],
    [{ sandbox: { driver: 'boxlite' } }, []],
    [{ sandbox: { driver: 'bxolite' } }, ['sandbox.driver']],
  ])('of %j is a problem at %j', (config, paths) => {
    expect(unknownDriver(config, ['boxlite']).map(({ path }) => path)).toEqual(paths);
  });
});

describe('lockedTools', () => {
  it.each([
    [{ tools: { disabled: ['bash', 'todo', 'nobody'] } }, ['todo']],
    [{ tools: { disabled: ['bash'] } }, []],
    [{ tools: {} }, []],
    [{}, []],
  ])('of %j are %j', (config, locked) => {
    expect(lockedTools(config, registry)).toEqual(locked);
  });
});
