import { describe, expect, it } from 'vitest';
import { delegatedContext, masterGuidance, type DelegatedFacts } from './delegated_context.js';

const facts: DelegatedFacts = {
  crew: 'press',
  member: 'writer',
  parentRunId: 'run-1',
  parentTask: 'Make a leaflet about bees.',
  context: 'The leaflet is for schools.',
  expectedOutput: 'Three sentences.',
  timeLeftMs: 90_500,
  leads: false,
};

describe('delegatedContext', () => {
  it('has everything in its order', () => {
    expect(delegatedContext(facts)).toMatchSnapshot();
  });

  it('leaves out what the master did not say, and tells one that leads that it may delegate on', () => {
    const text = delegatedContext({ ...facts, context: null, expectedOutput: null, leads: true });
    expect(text).not.toMatch(/## Context|## Expected output|cannot delegate/);
    expect(text).toContain('may delegate');
  });

  it('shortens a long parent task between characters, and never says less than a second', () => {
    const text = delegatedContext({ ...facts, parentTask: '蜜😀'.repeat(3000), timeLeftMs: 3 });
    expect(text).toContain('蜜…');
    expect(text.length).toBeLessThan(5000);
    expect(text).toContain('within 1 s');
  });
});

it('what a master is told', () => {
  expect(masterGuidance('press')).toMatchSnapshot();
});
