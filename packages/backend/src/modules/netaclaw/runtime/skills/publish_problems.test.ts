import { expect, it } from 'vitest';
import { publishProblems, type PublishFacts } from './publish_problems.js';
import { skillStatusOf, type VersionFacts } from './skill_versions.js';

const version: PublishFacts = {
  number: 2,
  status: 'in_review',
  hash: 'a',
  approvedHash: 'a',
  publishedAt: null,
  name: 'review',
  content: '---\nname: review\ndescription: Reviews.\n---\nRead.',
};

it('a version that is in review and approved as it stands may be published', () => {
  expect(publishProblems(version)).toEqual([]);
});

it.each<[string, Partial<PublishFacts>, RegExp]>([
  ['a draft', { status: 'draft' }, /not in review/],
  ['a published one', { status: 'published' }, /not in review/],
  ['one that nobody approved', { approvedHash: null }, /not approved yet/],
  ['one that changed since', { approvedHash: 'b' }, /changed after it was approved/],
  ['one that cannot be read', { content: 'Read.' }, /line 1/],
  ['one of another name', { name: 'other' }, /must stay "other"/],
])('%s may not', (_what, fields, sentence) => {
  const problems = publishProblems({ ...version, ...fields });
  expect(problems.map(({ message }) => message).join()).toMatch(sentence);
});

const at = (number: number, status: VersionFacts['status']): VersionFacts => ({
  number,
  status,
  hash: 'a',
  approvedHash: null,
  publishedAt: status === 'published' || status === 'archived' ? new Date(0) : null,
});

it.each<[VersionFacts[], string]>([
  [[at(1, 'draft')], 'draft'],
  [[at(1, 'in_review')], 'in_review'],
  [[at(1, 'published')], 'published'],
  [[at(1, 'published'), at(2, 'draft')], 'draft'],
  [[at(1, 'published'), at(2, 'archived')], 'published'],
  [[at(1, 'archived'), at(2, 'archived')], 'archived'],
])('a skill of %j is %s', (versions, status) => {
  expect(skillStatusOf(versions)).toBe(status);
});
