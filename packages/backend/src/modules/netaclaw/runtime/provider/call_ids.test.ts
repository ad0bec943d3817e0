import type { Message } from '@netaclaw/contracts';
import { expect, it } from 'vitest';
import { planCallIds } from './call_ids.js';

const rule = { legal: /^[A-Za-z0-9_-]{1,12}$/, maxLength: 12 };
const asks = (...ids: string[]): Message => ({
  role: 'assistant',
  content: '',
  toolCalls: ids.map((id) => ({ id, name: 'list_dir', arguments: '{}' })),
});
const answers = (toolCallId: string): Message => ({
  role: 'tool',
  toolCallId,
  name: 'list_dir',
  content: 'ok',
  status: 'ok',
});
const wireIds = (messages: Message[]) => {
  const plan = planCallIds(messages, rule);
  return messages.map((_message, at) => plan.get(at) ?? 'own');
};

it('leaves legal, unique ids alone', () => {
  expect(wireIds([asks('a', 'b'), answers('a'), answers('b')])).toEqual(['own', 'own', 'own']);
});

it('renames a call and its result alike when the id is too long or illegal', () => {
  const long = 'functions.list_dir:0';
  expect(wireIds([asks(long), answers(long)])).toEqual([['functions_li'], ['functions_li']]);
});

it('keeps ids apart that are equal once shortened', () => {
  const [one, two] = ['same_beginning_1', 'same_beginning_2'];
  const ids = wireIds([asks(one, two), answers(one), answers(two)]);
  expect(ids).toEqual([['same_beginni', 'same_begin_2'], ['same_beginni'], ['same_begin_2']]);
});

it('renames an id that comes again in a later answer, with the results that follow it', () => {
  const messages = [asks('call_0'), answers('call_0'), asks('call_0'), answers('call_0')];
  expect(wireIds(messages)).toEqual(['own', 'own', ['call_0_2'], ['call_0_2']]);
});

it('gives the results of two calls with one id to the calls in order', () => {
  expect(wireIds([asks('x', 'x'), answers('x'), answers('x')])).toEqual([
    ['x', 'x_2'],
    'own',
    ['x_2'],
  ]);
});

it('tells two results apart that are the same object', () => {
  const result = answers('x');
  expect(wireIds([asks('x', 'x'), result, result])).toEqual([['x', 'x_2'], 'own', ['x_2']]);
});

it('gives an empty id a name', () => {
  expect(wireIds([asks(''), answers('')])).toEqual([['call'], ['call']]);
});
