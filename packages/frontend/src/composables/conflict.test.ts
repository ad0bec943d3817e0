import { describe, expect, it } from 'vitest';
import { changesOf, differences, merged, presetOf } from './conflict.js';
import { isSame } from './same.js';

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

  it('loses neither of two changes of one list, until somebody chooses', () => {
    const lists = {
      base: { ...base, tools: {} },
      mine: { ...base, tools: { disabled: ['patch'] } },
      theirs: { ...base, tools: { disabled: ['bash'] } },
    };
    const both = { disabled: ['patch', 'bash'] };
    const [found] = differences(lists, ['tools']);
    expect(found).toMatchObject({ changedBy: 'both', together: both });
    expect(merged(lists, ['tools'], {}).tools).toEqual(both);
    expect(merged(lists, ['tools'], { tools: 'mine' }).tools).toEqual(lists.mine.tools);
  });

  it.each([
    ['me', undefined, 'mine'],
    ['them', undefined, 'theirs'],
    ['both', undefined, 'mine'],
    ['both', ['a'], 'together'],
  ] as const)('of a field changed by %s with %j in one presets %s', (changedBy, both, choice) => {
    const difference = { key: 'k', base: 0, mine: 1, theirs: 2, changedBy, together: both };
    expect(presetOf(difference)).toBe(choice);
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
