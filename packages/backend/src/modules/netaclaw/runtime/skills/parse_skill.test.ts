import { describe, expect, it } from 'vitest';
import { parseSkill, toolNamesOf, type ParsedSkill } from './parse_skill.js';
import { writeSkill } from './write_skill.js';

const document = (front: string, body = 'Do it.'): string => `---\n${front}\n---\n\n${body}\n`;
const minimal = 'name: a-skill\ndescription: Does it.';

function skillOf(text: string): ParsedSkill {
  const parsed = parseSkill(text, 'SKILL.md');
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.skill;
}

const problemsOf = (text: string) => {
  const parsed = parseSkill(text, 'SKILL.md');
  return parsed.ok ? [] : parsed.problems;
};

describe('a SKILL.md', () => {
  it('is read with all fields of the standard', () => {
    const front = `name: pdf-forms
description: "Fills in forms. Use when: a PDF has fields"
license: MIT
compatibility: Needs python
metadata:
  author: press
  version: 1.0
allowed-tools: read_file bash(git:*) write_file`;
    expect(skillOf(document(front, '# Steps\n\n---\n\nOne.'))).toEqual({
      frontMatter: {
        name: 'pdf-forms',
        description: 'Fills in forms. Use when: a PDF has fields',
        license: 'MIT',
        compatibility: 'Needs python',
        metadata: { author: 'press', version: '1.0' },
        allowedTools: ['read_file', 'bash(git:*)', 'write_file'],
      },
      body: '# Steps\n\n---\n\nOne.',
    });
  });

  it.each([
    ['a byte order mark', `\uFEFF${document(minimal)}`],
    ['Windows line ends', document(minimal).replaceAll('\n', '\r\n')],
    ['spaces behind its fences', document(minimal).replaceAll('---', '---  ')],
  ])('with %s is read alike', (_what, text) => {
    expect(skillOf(text)).toEqual(skillOf(document(minimal)));
  });

  it.each<[string, string[]]>([
    ['allowed-tools: a b', ['a', 'b']],
    ['allowed-tools: a, b,c', ['a', 'b', 'c']],
    ['allowed-tools: bash(git add:*, git commit:*) b', ['bash(git add:*, git commit:*)', 'b']],
    ['allowed-tools:\n  - a\n  - b', ['a', 'b']],
    ['allowed-tools:', []],
  ])('with %j allows %j', (line, tools) => {
    expect(skillOf(document(`${minimal}\n${line}`)).frontMatter.allowedTools).toEqual(tools);
  });

  it.each([
    ['in quotes', 'description: "Use when: asked"', 'Use when: asked'],
    ['in single quotes', "description: 'Use when: asked'", 'Use when: asked'],
    [
      'as a block',
      'description: >-\n  Use when: asked\n  or told: so',
      'Use when: asked or told: so',
    ],
    ['without a space', 'description: See https://example.org', 'See https://example.org'],
  ])('keeps a description with a colon %s whole', (_how, line, description) => {
    expect(skillOf(document(`name: a\n${line}`)).frontMatter.description).toBe(description);
  });

  it('tells of a bare colon where it stands and what to do', () => {
    expect(problemsOf(document('name: a\ndescription: Use when: asked'))).toEqual([
      { path: 'SKILL.md', message: expect.stringMatching(/^line 3: .*quotes.*description: "…"/) },
    ]);
  });

  it('tells of a description that would lose its end to a comment', () => {
    expect(problemsOf(document('name: a\ndescription: Mends ticket #7 and more'))).toEqual([
      { path: 'SKILL.md#description', message: expect.stringMatching(/#7 and more.*quotes/) },
    ]);
  });

  it.each<[string, string, string]>([
    ['no front matter', 'Do it.', 'SKILL.md'],
    ['an open front matter', `---\n${minimal}\n`, 'SKILL.md'],
    ['an empty front matter', '---\n---\n', 'SKILL.md'],
    ['a list for a front matter', document('- a'), 'SKILL.md'],
    ['a field twice', document(`${minimal}\nname: b`), 'SKILL.md'],
    ['no name', document('description: Does it.'), 'SKILL.md#name'],
    ['no description', document('name: a'), 'SKILL.md#description'],
    ['a blank description', document('name: a\ndescription: "  "'), 'SKILL.md#description'],
    [
      'a long description',
      document(`name: a\ndescription: ${'x'.repeat(1025)}`),
      'SKILL.md#description',
    ],
    ['a list for a description', document('name: a\ndescription: [b]'), 'SKILL.md#description'],
    ['a long name', document(`name: ${'x'.repeat(65)}\ndescription: b`), 'SKILL.md#name'],
    ['capitals in its name', document('name: PDF\ndescription: b'), 'SKILL.md#name'],
    ['two hyphens in its name', document('name: a--b\ndescription: b'), 'SKILL.md#name'],
    ['a hyphen at the end of its name', document('name: a-\ndescription: b'), 'SKILL.md#name'],
    [
      'a long compatibility',
      document(`${minimal}\ncompatibility: ${'x'.repeat(501)}`),
      'SKILL.md#compatibility',
    ],
    ['nested metadata', document(`${minimal}\nmetadata:\n  a:\n    b: c`), 'SKILL.md#metadata.a'],
    ['a field of its own', document(`${minimal}\nversion: 2`), 'SKILL.md#version'],
    ['too much text', document(minimal, 'x'.repeat(256 * 1024)), 'SKILL.md'],
    ['aliases that multiply', document(`${minimal}\nmetadata: ${bomb()}`), 'SKILL.md'],
  ])('with %s is refused, and where is said', (_what, text, path) => {
    expect(problemsOf(text).map((problem) => problem.path)).toEqual([path]);
  });

  it('with several faults tells them all', () => {
    const front = `name: No\ndescription: ""\ncompatibility: ${'x'.repeat(501)}\ncolour: red`;
    expect(
      problemsOf(document(front))
        .map(({ path }) => path)
        .toSorted(),
    ).toEqual([
      'SKILL.md#colour',
      'SKILL.md#compatibility',
      'SKILL.md#description',
      'SKILL.md#name',
    ]);
  });

  it('that is written is read back the same', () => {
    const skills: ParsedSkill[] = [
      skillOf(document(minimal)),
      {
        frontMatter: {
          name: 'all',
          description: 'Use when: "asked" # or not\nand: more',
          license: 'MIT: or so',
          compatibility: '1.0',
          metadata: { version: '1.0', 'a: b': 'yes', empty: '' },
          allowedTools: ['bash(git:*)', 'read_file'],
        },
        body: '---\nnot a fence\n---',
      },
    ];
    for (const skill of skills) expect(skillOf(writeSkill(skill))).toEqual(skill);
  });
});

/** Nine levels of nine aliases each: a few hundred bytes that mean hundreds of millions of values. */
function bomb(): string {
  const levels = ['&a0 [x]'];
  for (let level = 1; level < 9; level += 1) {
    levels.push(`&a${level} [${Array.from({ length: 9 }, () => `*a${level - 1}`).join(', ')}]`);
  }
  return `[${levels.join(', ')}]`;
}

it('the tools of a skill are named once each, without what stands in brackets', () => {
  expect(toolNamesOf(['bash(git:*)', 'bash(ls:*)', 'read_file'])).toEqual(['bash', 'read_file']);
});
