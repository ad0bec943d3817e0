import { expect, it } from 'vitest';
import { LoopGuard } from './loop_guard.js';

const call = (fields: Partial<Parameters<LoopGuard['see']>[0]> = {}) => ({
  name: 'echo',
  arguments: '{}',
  result: 'the same',
  refused: false,
  ...fields,
});

it('notes the third equal call in a row and stops at the fifth', () => {
  const guard = new LoopGuard();
  const verdicts = Array.from({ length: 5 }, () => guard.see(call()));
  expect(verdicts).toEqual(['go-on', 'go-on', 'note', 'note', 'stop']);
  expect(guard.stopped).toBe(true);
});

it.each([
  ['name', { name: 'other' }],
  ['arguments', { arguments: '{"a":1}' }],
  ['result', { result: 'another' }],
])('counts anew after a call with another %s', (_what, other) => {
  const guard = new LoopGuard();
  guard.see(call());
  guard.see(call());
  expect(guard.see(call(other))).toBe('go-on');
  expect([1, 2, 3].map(() => guard.see(call()))).toEqual(['go-on', 'go-on', 'note']);
});

it('does not confuse where one field ends and the next begins', () => {
  const guard = new LoopGuard();
  guard.see(call({ name: 'a', arguments: 'b' }));
  guard.see(call({ name: 'ab', arguments: '' }));
  expect(guard.see(call({ name: 'a', arguments: 'b' }))).toBe('go-on');
});

it('stops at the third refused call of a run, in a row or not', () => {
  const guard = new LoopGuard();
  const refused = (name: string) => guard.see(call({ name, refused: true }));
  expect([refused('a'), refused('b')]).toEqual(['go-on', 'go-on']);
  expect(guard.see(call())).toBe('go-on');
  expect(refused('c')).toBe('stop');
});

it('stays stopped', () => {
  const guard = new LoopGuard();
  for (let count = 0; count < 5; count += 1) guard.see(call());
  expect(guard.see(call({ name: 'other' }))).toBe('stop');
});
