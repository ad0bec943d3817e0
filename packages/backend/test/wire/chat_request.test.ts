import type OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { problemsOfChatRequest } from './chat_request.js';

type Body = OpenAI.Chat.Completions.ChatCompletionCreateParams;
type WireMessage = OpenAI.Chat.Completions.ChatCompletionMessageParam;

const user = { role: 'user', content: 'Hello' } as const;
const callOf = (id: string, more: object = {}) => ({
  id,
  type: 'function' as const,
  function: { name: 'list_dir', arguments: '{}', ...more },
});
const asks = (...ids: string[]) => ({
  role: 'assistant' as const,
  content: '',
  tool_calls: ids.map((id) => callOf(id)),
});
const result = (id: string) => ({ role: 'tool' as const, tool_call_id: id, content: 'ok' });
const tool = (name: string) => ({
  type: 'function' as const,
  function: { name, description: 'Does.', parameters: { type: 'object', properties: {} } },
});

const good: Body = {
  model: 'gpt-x',
  messages: [
    { role: 'system', content: 'Be kind.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Look' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
      ],
    },
    asks('a', 'b'),
    result('b'),
    result('a'),
    asks('c'),
    result('c'),
    { role: 'assistant', content: 'Done.' },
    user,
  ],
  tools: [tool('list_dir'), tool('bash')],
  max_tokens: 5,
  temperature: 0,
  stream: true,
  stream_options: { include_usage: true },
};
const withMessages = (...messages: WireMessage[]): unknown => ({ model: 'm', messages });

it('accepts a good request', () => {
  expect(problemsOfChatRequest(good)).toEqual([]);
  expect(problemsOfChatRequest(withMessages(user))).toEqual([]);
});

describe('refuses', () => {
  it.each<[string, unknown, RegExp]>([
    ['what is no object', [], /expected object/],
    ['an unknown field', { ...good, enabled: true }, /enabled/],
    ['a body without messages', { ...good, messages: [] }, /messages/],
    ['an empty list of tools', { ...good, tools: [] }, /tools/],
    ['two tools of one name', { ...good, tools: [tool('x'), tool('x')] }, /tool x is used/],
    ['a name with a space', { ...good, tools: [tool('x y')] }, /not a function name/],
    ['two limits', { ...good, max_completion_tokens: 5 }, /exclude/],
    ['stream options of no stream', { ...good, stream: false }, /needs stream/],
    [
      'a schema of no object',
      { ...good, tools: [{ ...tool('x'), function: { name: 'x' } }] },
      /tools/,
    ],
  ])('%s', (_what, body, sentence) => {
    expect(problemsOfChatRequest(body).join('\n')).toMatch(sentence);
  });

  it.each<[string, unknown[], RegExp]>([
    ['an unknown role', [{ role: 'function', content: 'x' }], /role/],
    ['blank words', [{ role: 'user', content: ' ' }], /content/],
    ['blank parts', [{ role: 'user', content: [{ type: 'text', text: '' }] }], /content/],
    ['no parts', [{ role: 'user', content: [] }], /content/],
    [
      'parts of another protocol',
      [{ role: 'user', content: [{ type: 'input_text', text: 'x' }] }],
      /content/,
    ],
    [
      'an image that is a file id',
      [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'file-1' } }] }],
      /content/,
    ],
    ['an assistant without words and calls', [{ role: 'assistant', content: '' }, user], /neither/],
    ['no calls', [{ role: 'assistant', content: 'x', tool_calls: [] }, user], /tool_calls/],
    ['a late system message', [user, { role: 'system', content: 'x' }, user], /lead/],
    ['an answer at the end', [user, { role: 'assistant', content: 'x' }], /last message/],
    ['a result without a call', [user, result('a')], /result a has no open call/],
    ['a call without a result', [user, asks('a', 'b'), result('a'), user], /call b has no result/],
    ['a call at the end', [user, asks('a')], /call a has no result/],
    ['two results', [user, asks('a'), result('a'), result('a')], /result a has no open call/],
    ['a late result', [user, asks('a'), user, result('a')], /call a has no result/],
    [
      'an id used again',
      [user, asks('a'), result('a'), asks('a'), result('a')],
      /call id a is used more than once/,
    ],
    ['an id of 41 characters', [user, asks('x'.repeat(41)), result('x'.repeat(41))], /id/],
    [
      'arguments that are no object',
      [{ ...asks(), tool_calls: [callOf('a', { arguments: '[1]' })] }, result('a')],
      /JSON text of an object/,
    ],
    [
      'arguments that are no JSON',
      [{ ...asks(), tool_calls: [callOf('a', { arguments: '{' })] }, result('a')],
      /JSON text of an object/,
    ],
    ['a blank result', [user, asks('a'), { ...result('a'), content: '' }], /content/],
  ])('%s', (_what, messages, sentence) => {
    expect(problemsOfChatRequest({ model: 'm', messages }).join('\n')).toMatch(sentence);
  });
});
