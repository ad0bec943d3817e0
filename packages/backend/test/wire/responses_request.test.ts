import type OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { problemsOfResponsesRequest } from './responses_request.js';

type Body = OpenAI.Responses.ResponseCreateParams;

const user = { type: 'message', role: 'user', content: 'Hello' } as const;
const call = (id: string, more: object = {}) => ({
  type: 'function_call' as const,
  call_id: id,
  name: 'list_dir',
  arguments: '{}',
  ...more,
});
const result = (id: string) => ({
  type: 'function_call_output' as const,
  call_id: id,
  output: 'ok',
});
const said = (id = 'msg_1') => ({
  type: 'message' as const,
  id,
  role: 'assistant' as const,
  status: 'completed' as const,
  content: [{ type: 'output_text' as const, text: 'Well', annotations: [] }],
});
const reasoning = (id = 'rs_1') => ({
  type: 'reasoning' as const,
  id,
  summary: [{ type: 'summary_text' as const, text: 'Hm' }],
  encrypted_content: 'sealed',
});
const tool = (name: string) => ({
  type: 'function' as const,
  name,
  description: 'Does.',
  parameters: { type: 'object', properties: {} },
  strict: false,
});

const good: Body = {
  model: 'gpt-x',
  store: false,
  instructions: 'Be kind.',
  input: [
    {
      type: 'message',
      role: 'user',
      content: [
        { type: 'input_text', text: 'Look' },
        { type: 'input_image', detail: 'auto', image_url: 'data:image/png;base64,AAAA' },
      ],
    },
    reasoning(),
    said(),
    call('a'),
    call('b'),
    result('b'),
    result('a'),
    call('c'),
    result('c'),
    said('msg_2'),
    user,
  ],
  tools: [tool('list_dir'), tool('bash')],
  max_output_tokens: 16,
  reasoning: { effort: 'low', summary: 'auto' },
  include: ['reasoning.encrypted_content'],
  stream: true,
};

it('accepts a good request', () => {
  expect(problemsOfResponsesRequest(good)).toEqual([]);
  expect(problemsOfResponsesRequest({ model: 'm', store: false, input: [user] })).toEqual([]);
});

describe('refuses', () => {
  const strictless: object = { type: 'function', name: 'x', description: 'x', parameters: {} };

  it.each<[string, unknown, RegExp]>([
    ['what is no object', 'hello', /expected object/],
    ['a field of the other protocol', { ...good, messages: [] }, /messages/],
    ['parameters it does not know', { ...good, seed: 1 }, /seed/],
    ['an earlier response', { ...good, previous_response_id: 'resp_1' }, /previous_response_id/],
    ['being stored', { ...good, store: true }, /store/],
    ['silence about storing', { ...good, store: undefined }, /store/],
    ['no input', { ...good, input: [] }, /input/],
    ['instructions that are no text', { ...good, instructions: [user] }, /instructions/],
    ['blank instructions', { ...good, instructions: '' }, /instructions/],
    ['an empty list of tools', { ...good, tools: [] }, /tools/],
    ['a tool that is silent about strict', { ...good, tools: [strictless] }, /strict/],
    ['a strict tool', { ...good, tools: [{ ...tool('x'), strict: true }] }, /strict/],
    [
      'a tool in the form of the other protocol',
      { ...good, tools: [{ type: 'function', function: { name: 'x' } }] },
      /tools\.0/,
    ],
    ['two tools of one name', { ...good, tools: [tool('x'), tool('x')] }, /tool x is used/],
    ['a limit below 16', { ...good, max_output_tokens: 15 }, /max_output_tokens/],
  ])('%s', (_what, body, sentence) => {
    expect(problemsOfResponsesRequest(body).join('\n')).toMatch(sentence);
  });

  it.each<[string, unknown[], RegExp]>([
    ['a role without a type', [{ role: 'tool', content: 'x' }], /input\.0/],
    ['blank words', [{ ...user, content: '' }], /input\.0/],
    ['an image without its detail', [{ ...user, content: [{ type: 'input_image' }] }], /input\.0/],
    ['words of the assistant as input', [{ ...user, role: 'assistant' }, user], /input\.0/],
    ['an output message without an id', [{ ...said(), id: undefined }, user], /input\.0/],
    ['the id of another kind of item', [said('rs_9'), user], /input\.0/],
    ['item ids used again', [said(), said(), user], /item id msg_1/],
    ['an answer at the end', [user, said()], /ends with what the model said/],
    ['a result without a call', [user, result('a')], /result a has no open call/],
    ['a call without a result', [call('a'), call('b'), result('a'), user], /call b has no result/],
    ['a call at the end', [user, call('a')], /call a has no result/],
    ['two results', [call('a'), result('a'), result('a')], /result a has no open call/],
    ['words between call and result', [call('a'), user, result('a')], /call a has no result/],
    [
      'a call among results',
      [call('a'), call('b'), result('a'), call('c')],
      /call b has no result/,
    ],
    ['a call id used again', [call('a'), result('a'), call('a'), result('a')], /call id a is used/],
    ['an id of 65 characters', [call('x'.repeat(65)), result('x'.repeat(65))], /input\.0/],
    ['a call with the id of a call', [call('a', { id: 'call_1' }), result('a')], /input\.0/],
    ['arguments that are no object', [call('a', { arguments: '1' }), result('a')], /input\.0/],
    ['a name with a space', [call('a', { name: 'list dir' }), result('a')], /input\.0/],
    ['reasoning in front of the user', [reasoning(), user], /not followed by its answer/],
    ['reasoning at the end', [user, reasoning()], /not followed by its answer/],
    ['reasoning that is not sealed', [{ ...reasoning(), encrypted_content: null }], /input\.0/],
    ['reasoning with a status', [{ ...reasoning(), status: 'completed' }], /input\.0/],
  ])('%s', (_what, input, sentence) => {
    const problems = problemsOfResponsesRequest({ model: 'm', store: false, input });
    expect(problems.join('\n')).toMatch(sentence);
  });
});
