import { expect, it } from 'vitest';
import { DelegationBudget, RepeatWatch } from './delegation_limits.js';

it('a budget gives as many as it has, and no more', () => {
  const budget = new DelegationBudget(2);
  expect([budget.take(), budget.take(), budget.take(), budget.take()]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

const work = { member: 'ann', task: 'Read it.', context: null, expectedOutput: null };

it.each([
  ['the same task', {}, true],
  ['spacing and case', { task: ' read  IT. ' }, true],
  ['no context and an empty one', { context: ' ' }, true],
  ['another task', { task: 'Write it.' }, false],
  ['another context', { context: 'text two' }, false],
  ['another expected output', { expectedOutput: 'one line' }, false],
  ['another member', { member: 'bob' }, false],
])('the third time, %s: repeated %o', (_claim, change, isRepeat) => {
  const watch = new RepeatWatch();
  expect([watch.isRepeat(work), watch.isRepeat(work)]).toEqual([false, false]);
  expect(watch.isRepeat({ ...work, ...change })).toBe(isRepeat);
});
