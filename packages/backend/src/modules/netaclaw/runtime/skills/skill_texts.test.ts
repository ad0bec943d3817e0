import { expect, it } from 'vitest';
import { activatedSkill, skillGuidance, skillLines } from './skill_texts.js';

const skills = [
  { name: 'pdf-forms', description: 'Fills in forms.\nUse when: a PDF has fields.' },
  { name: 'review', description: 'x'.repeat(400) },
];

it('an activated skill is a message that says what it is', () => {
  expect(activatedSkill('review', '# Steps\n\nRead it.')).toMatchSnapshot();
});

it('the guidance names the skills in a line each, cut short', () => {
  expect(skillGuidance(skills)).toMatchSnapshot();
});

it('the guidance is silent without skills, and does not grow with their number', () => {
  expect(skillGuidance([])).toBeNull();
  const many = Array.from({ length: 200 }, (_, index) => ({
    name: `skill-${index}`,
    description: 'y'.repeat(1024),
  }));
  const text = skillGuidance(many) ?? '';
  expect(text.length).toBeLessThan(4_500);
  expect(text).toContain('180 more');
});

it('the list tells all of each description, on one line', () => {
  const [first, second] = skillLines(skills).split('\n');
  expect(first).toBe('- pdf-forms: Fills in forms. Use when: a PDF has fields.');
  expect(second).toHaveLength(410);
});
