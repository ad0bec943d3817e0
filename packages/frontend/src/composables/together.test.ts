import { describe, expect, it } from 'vitest';
import { together } from './together.js';

const member = (agentId: number, alias?: string) => ({ agentId, ...(alias ? { alias } : {}) });

describe('two changes of one field', () => {
  it.each([
    ['items that each put in', [['a'], ['a', 'b'], ['a', 'c']], ['a', 'b', 'c']],
    [
      'items that each took out',
      [
        ['a', 'b', 'c'],
        ['b', 'c'],
        ['a', 'c'],
      ],
      ['c'],
    ],
    ['one put in, one taken out', [['a', 'b'], ['a', 'b', 'c'], ['b']], ['b', 'c']],
    ['the same item put in twice', [[], ['a', 'b'], ['b', 'c']], ['a', 'b', 'c']],
    ['a list that was not there', [undefined, ['a'], ['b']], ['a', 'b']],
    ['lists in a record', [{}, { disabled: ['a'] }, { disabled: ['b'] }], { disabled: ['a', 'b'] }],
    ['a list taken out of its record', [{ l: ['a'] }, {}, { l: ['a', 'b'] }], { l: ['b'] }],
    ['names of a record', [{ a: 1 }, { a: 1, b: 2 }, { a: 3 }], { a: 3, b: 2 }],
    ['a name taken out', [{ a: 1, b: 2 }, { b: 2 }, { a: 1, b: 2, c: 3 }], { b: 2, c: 3 }],
    [
      'records that each changed one of',
      [
        [member(1), member(2)],
        [member(1, 'x'), member(2)],
        [member(1), member(2), member(3)],
      ],
      [member(1, 'x'), member(2), member(3)],
    ],
    ['nothing changed here', [1, 1, 2], 2],
    ['nothing changed there', [1, 2, 1], 2],
  ])('in one: %s', (_, [base, mine, theirs], expected) => {
    expect(together({ base, mine, theirs })).toEqual(expected);
  });

  it.each([
    ['two texts', ['a', 'b', 'c']],
    ['defaults that each replaced with a list', [null, ['a'], ['b']]],
    ['one value of a record', [{ a: 1 }, { a: 2 }, { a: 3 }]],
    ['a name taken out and changed', [{ a: 1 }, {}, { a: 3 }]],
    [
      'a list in another order',
      [
        ['a', 'b'],
        ['b', 'a'],
        ['a', 'b', 'c'],
      ],
    ],
    ['one record of a list', [[member(1)], [member(1, 'x')], [member(1, 'y')]]],
    ['a record of a list taken out and changed', [[member(1)], [], [member(1, 'y')]]],
  ])('contradict each other: %s', (_, [base, mine, theirs]) => {
    expect(together({ base, mine, theirs })).toBeUndefined();
  });
});
