import type { AgentListItem, Crew } from '@netaclaw/contracts';
import { describe, expect, it } from 'vitest';
import { addresseeOf, chosenPartner, partnersOf, targetOf } from './partner.js';

const agent = (name: string, status: 0 | 1 = 1): AgentListItem => ({
  id: 1,
  name,
  label: '',
  status,
});
const crew = (name: string, status: 0 | 1 = 1): Crew => ({
  id: 9,
  name,
  label: 'The press',
  description: '',
  masterAgentId: 4,
  members: [],
  maxDepth: 1,
  maxParallel: 1,
  status,
  version: 1,
  createTime: '',
  updateTime: '',
});

describe('who is talked to', () => {
  const partners = partnersOf([agent('off', 0), agent('ann')], [crew('press')]);

  it.each([
    ['crew:press', 'crew:press'],
    ['ann', 'ann'],
    ['off', 'ann'],
    ['nobody', 'ann'],
    [undefined, 'ann'],
  ])('for %j is %s', (target, found) => {
    expect(chosenPartner(partners, target)?.target).toBe(found);
  });

  it('is a crew where there is no agent, and nobody where there is no one', () => {
    expect(chosenPartner(partnersOf([], [crew('press')]), null)).toMatchObject({
      target: 'crew:press',
      agentId: 4,
      crewId: 9,
    });
    expect(chosenPartner(partnersOf([agent('off', 0)], [crew('x', 0)]), 'off')).toBeNull();
  });

  it('goes into a request, and comes back out of a session', () => {
    expect(addresseeOf('crew:press')).toEqual({ crew: 'press' });
    expect(addresseeOf('ann')).toEqual({ agent: 'ann' });
    expect(targetOf({ agent: 'chief', crew: 'press' })).toBe('crew:press');
    expect(targetOf({ agent: 'ann', crew: null })).toBe('ann');
  });
});
