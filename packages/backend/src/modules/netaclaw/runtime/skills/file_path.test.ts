import { expect, it } from 'vitest';
import { filePathProblem, samePathKey } from './file_path.js';

it.each(['SKILL.md', 'scripts/run.py', 'a/b/c/d.txt', '说明/步骤 一.md', '..a/b..c', '.hidden'])(
  '%j may be the path of a file of a skill',
  (path) => {
    expect(filePathProblem(path)).toBeNull();
  },
);

it.each([
  ['../a', /out of the folder/],
  ['a/../../b', /out of the folder/],
  ['a/..', /out of the folder/],
  ['/etc/passwd', /absolute/],
  ['C:/a', /drive letter/],
  ['c:a', /drive letter/],
  ['a\\b', /backslash/],
  ['..\\a', /backslash/],
  ['a//b', /empty part/],
  ['./a', /empty part/],
  ['a/', /empty part/],
  ['', /empty part/],
  ['a\0b', /control/],
  ['a\nb', /control/],
  ['a\u200bb', /invisible/],
  ['a\u202egpj.exe', /invisible/],
  ['a\u2028b', /invisible/],
  [`${'x'.repeat(256)}`, /longer/],
])('%j may not', (path, problem) => {
  expect(filePathProblem(path)).toMatch(problem);
});

it('paths that some systems take for one are told apart by nobody', () => {
  expect(samePathKey('Ä/A.md')).toBe(samePathKey('a\u0308/a.MD'));
  expect(samePathKey('a.md')).not.toBe(samePathKey('b.md'));
});
