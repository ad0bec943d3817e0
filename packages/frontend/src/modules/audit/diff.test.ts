import { describe, expect, it } from 'vitest';
import { changedNames, diffOf, tellingDiff } from './diff.js';

describe('the difference of two values', () => {
  it.each([
    { title: 'nothing', before: null, after: null, expected: [] },
    { title: 'equal values', before: { a: 1 }, after: { a: 1 }, expected: [] },
    {
      title: 'a changed field',
      before: { a: 1, b: 2 },
      after: { a: 1, b: 3 },
      expected: [{ kind: 'changed', path: 'b', before: 2, after: 3 }],
    },
    {
      title: 'a field within',
      before: { limits: { turns: 1 } },
      after: { limits: { turns: 2 } },
      expected: [{ kind: 'changed', path: 'limits.turns', before: 1, after: 2 }],
    },
    {
      title: 'a new record',
      before: null,
      after: { a: 1 },
      expected: [{ kind: 'added', path: 'a', after: 1 }],
    },
    {
      title: 'a deleted record',
      before: { a: 1 },
      after: null,
      expected: [{ kind: 'removed', path: 'a', before: 1 }],
    },
    {
      title: 'a value that came',
      before: { a: null },
      after: { a: 'x' },
      expected: [{ kind: 'added', path: 'a', after: 'x' }],
    },
    {
      title: 'a list as one value',
      before: { tags: ['a'] },
      after: { tags: ['a', 'b'] },
      expected: [{ kind: 'changed', path: 'tags', before: ['a'], after: ['a', 'b'] }],
    },
    {
      title: 'a value that became fields',
      before: { a: 'x' },
      after: { a: { b: 1 } },
      expected: [{ kind: 'changed', path: 'a', before: 'x', after: { b: 1 } }],
    },
    {
      title: 'a text',
      before: null,
      after: 'done',
      expected: [{ kind: 'added', path: '', after: 'done' }],
    },
  ])('tells $title', ({ before, after, expected }) => {
    expect(diffOf(before, after)).toEqual(expected);
  });

  it('sums up by the outermost fields', () => {
    const changes = diffOf({ a: { b: 1, c: 1 }, d: 1 }, { a: { b: 2, c: 2 }, d: 2 });
    expect(changedNames(changes)).toEqual(['a', 'd']);
  });

  it('leaves out what moves with every change', () => {
    const before = { model: 'a', version: 1, updateTime: 'x' };
    const after = { model: 'b', version: 2, updateTime: 'y' };
    expect(changedNames(tellingDiff(before, after))).toEqual(['model']);
  });
});
