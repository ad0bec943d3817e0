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

it('the same task for the same member is a repeat from the third time on', () => {
  const watch = new RepeatWatch();
  const asked = ['Read it.', ' read  it. ', 'Read it.', 'Read it.', 'Write it.'];
  expect(asked.map((task) => watch.isRepeat('ann', task))).toEqual([
    false,
    false,
    true,
    true,
    false,
  ]);
  expect(watch.isRepeat('bob', 'Read it.')).toBe(false);
});
