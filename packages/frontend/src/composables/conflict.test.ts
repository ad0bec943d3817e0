import { describe, expect, it } from 'vitest';
import { changesOf, differences, isSame, merged } from './conflict.js';

const keys = ['label', 'hint', 'sort'] as const;
const base = { label: 'a', hint: 'b', sort: 0 };
const versions = {
  base,
  mine: { label: 'mine', hint: 'my hint', sort: 0 },
  theirs: { label: 'theirs', hint: 'b', sort: 5 },
};

describe('conflicts', () => {
  it('tells who changed each field', () => {
    const found = differences(versions, keys).map(({ key, changedBy }) => [key, changedBy]);
    expect(found).toEqual([
      ['label', 'both'],
      ['hint', 'me'],
      ['sort', 'them'],
    ]);
  });

  it('keeps both changes where they do not meet', () => {
    expect(merged(versions, keys, { label: 'theirs' })).toEqual({
      label: 'theirs',
      hint: 'my hint',
      sort: 5,
    });
  });

  it('takes the choice where they do', () => {
    expect(merged(versions, keys, { label: 'mine', sort: 'mine' })).toEqual({
      label: 'mine',
      hint: 'my hint',
      sort: 0,
    });
  });

  it('does not call the same change a difference', () => {
    expect(
      differences({ base, mine: { ...base, sort: 3 }, theirs: { ...base, sort: 3 } }, keys),
    ).toEqual([]);
  });

  it('answers only what was changed', () => {
    expect(changesOf(base, { ...base, sort: 1 }, keys)).toEqual({ sort: 1 });
  });

  it('compares without regard to the order of fields', () => {
    expect(isSame({ a: 1, b: [{ c: 1, d: 2 }] }, { b: [{ d: 2, c: 1 }], a: 1 })).toBe(true);
  });
});
