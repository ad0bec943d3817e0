import { describe, expect, it } from 'vitest';
import { changedNames, diffOf, tellingDiff } from './diff.js';

describe('the difference of two values', () => {
  it.each([
    ['nothing', null, null, []],
    ['equal values', { a: 1 }, { a: 1 }, []],
    [
      'a changed field',
      { a: 1, b: 2 },
      { a: 1, b: 3 },
      [{ kind: 'changed', path: 'b', before: 2, after: 3 }],
    ],
    [
      'a field within',
      { limits: { turns: 1 } },
      { limits: { turns: 2 } },
      [{ kind: 'changed', path: 'limits.turns', before: 1, after: 2 }],
    ],
    ['a new record', null, { a: 1 }, [{ kind: 'added', path: 'a', after: 1 }]],
    ['a deleted record', { a: 1 }, null, [{ kind: 'removed', path: 'a', before: 1 }]],
    ['a value that came', { a: null }, { a: 'x' }, [{ kind: 'added', path: 'a', after: 'x' }]],
    [
      'a list as one value',
      { tags: ['a'] },
      { tags: ['a', 'b'] },
      [{ kind: 'changed', path: 'tags', before: ['a'], after: ['a', 'b'] }],
    ],
    [
      'a value that became fields',
      { a: 'x' },
      { a: { b: 1 } },
      [{ kind: 'changed', path: 'a', before: 'x', after: { b: 1 } }],
    ],
    ['a text', null, 'done', [{ kind: 'added', path: '', after: 'done' }]],
  ])('tells %s', (_, before, after, expected) => {
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
