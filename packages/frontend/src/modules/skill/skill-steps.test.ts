import type { SkillInfo, SkillVersion } from '@netaclaw/contracts';
import { expect, it } from 'vitest';
import { stepsOf, type SkillStep } from './skill-steps.js';

const version = (
  status: SkillVersion['status'],
  approvedBy: string | null = null,
): SkillVersion => ({
  number: 1,
  status,
  hash: 'h',
  author: 'user:admin',
  approvedBy,
  comment: null,
  publishedAt: null,
  createTime: '2026-01-01T00:00:00.000Z',
  updateTime: '2026-01-01T00:00:00.000Z',
});

function info(newest: SkillVersion, fields: Partial<SkillInfo> = {}): SkillInfo {
  return {
    id: 1,
    name: 'review',
    description: '',
    status: newest.status,
    publishedNumber: null,
    latestNumber: 1,
    version: 1,
    createTime: newest.createTime,
    updateTime: newest.updateTime,
    shown: newest,
    content: '',
    frontMatter: {
      name: 'review',
      description: '',
      license: null,
      compatibility: null,
      metadata: {},
      allowedTools: [],
    },
    body: '',
    files: [],
    versions: [newest],
    usedBy: [],
    ...fields,
  };
}

const agent = { id: 1, name: 'a', label: 'A' };

it.each<[string, SkillInfo, SkillStep[]]>([
  ['a draft', info(version('draft')), ['submit', 'delete']],
  ['one in review', info(version('in_review')), ['approve', 'reject', 'delete']],
  ['an approved one', info(version('in_review', 'user:a')), ['publish', 'reject', 'delete']],
  ['a published one', info(version('published'), { publishedNumber: 1 }), ['archive', 'delete']],
  ['one that an agent has', info(version('draft'), { usedBy: [agent] }), ['submit']],
  ['an archived one', info(version('archived')), ['delete']],
])('%s can be moved by what makes sense', (_what, skill, steps) => {
  expect(stepsOf(skill)).toEqual(steps);
});
