import { describe, expect, it } from 'vitest';
import { problemsOfAnthropicRequest } from './anthropic_request.js';

const hello = { role: 'user', content: 'Hello' };
const call = (id = 'toolu_1') => ({ type: 'tool_use', id, name: 'list_dir', input: {} });
const result = (id = 'toolu_1') => ({ type: 'tool_result', tool_use_id: id, content: 'a.txt' });
const words = (text = 'Hm') => ({ type: 'text', text });
const thinking = { type: 'thinking', thinking: 'Well', signature: 'sig' };
const assistant = (...content: object[]) => ({ role: 'assistant', content });
const user = (...content: object[]) => ({ role: 'user', content });
const image = (source: object) => user({ type: 'image', source });
const tools = [{ name: 'list_dir', input_schema: { type: 'object' } }];
const budget = { max_tokens: 2048, thinking: { type: 'enabled', budget_tokens: 1024 } };

const request = (messages: unknown, more = {}) => ({
  model: 'claude-sonnet-4-5',
  max_tokens: 100,
  messages,
  ...more,
});

describe('a valid request', () => {
  it.each<[string, object]>([
    ['says hello', request([hello])],
    [
      'has everything',
      request(
        [
          hello,
          assistant(thinking, words(), call('a'), call('b')),
          user(result('a'), { ...result('b'), is_error: true }, words()),
        ],
        { ...budget, tools, tool_choice: { type: 'none' }, system: [words()], stream: true },
      ),
    ],
    ['shows images', image({ type: 'base64', media_type: 'image/png', data: 'AAAA' })],
  ])('%s', (_what, body) => {
    const whole = 'messages' in body ? body : request([body]);
    expect(problemsOfAnthropicRequest(whole)).toEqual([]);
  });
});

describe('a request is refused', () => {
  it.each<[string, unknown, RegExp]>([
    ['that is no object', 'hello', /expected object/],
    ['without max_tokens', { model: 'm', messages: [hello] }, /max_tokens/],
    ['with an unknown field', request([hello], { seed: 1 }), /seed/],
    ['without turns', request([]), /messages/],
    ['with a system turn', request([{ role: 'system', content: 'x' }, hello]), /messages\.0/],
    ['with blank text', request([{ role: 'user', content: ' ' }]), /blank/],
    ['with a blank block', request([user(words('\n'))]), /blank/],
    ['with an empty turn', request([user()]), /messages\.0/],
    ['with blank system text', request([hello], { system: [words('')] }), /blank/],
    ['with two user turns', request([hello, hello]), /two turns of user/],
    ['that begins with an answer', request([assistant(words()), hello]), /first turn/],
    ['that ends with an answer', request([hello, assistant(words())]), /last turn/],
    [
      'with a call that has no result',
      request([hello, assistant(call()), hello], { tools }),
      /toolu_1 has no result/,
    ],
    ['with a call that is last', request([hello, assistant(call())], { tools }), /last turn/],
    ['with a result of no call', request([user(result())], { tools }), /answers no call/],
    [
      'with two results of a call',
      request([hello, assistant(call()), user(result(), result())], { tools }),
      /two results/,
    ],
    [
      'with results behind text',
      request([hello, assistant(call()), user(words(), result())], { tools }),
      /results must come first/,
    ],
    [
      'with an id that is used twice',
      request([hello, assistant(call()), user(result()), assistant(call()), user(result())], {
        tools,
      }),
      /occurs twice/,
    ],
    [
      'with an illegal id',
      request([hello, assistant(call('a.b')), user(result('a.b'))], { tools }),
      /messages\.1\.content/,
    ],
    [
      'with input that is no object',
      request([hello, assistant({ ...call(), input: '{}' }), user(result())], { tools }),
      /input/,
    ],
    [
      'with calls but no tools',
      request([hello, assistant(call()), user(result())]),
      /need declared tools/,
    ],
    ['with a choice but no tools', request([hello], { tool_choice: { type: 'none' } }), /choice/],
    ['with an empty list of tools', request([hello], { tools: [] }), /tools/],
    ['with a tool declared twice', request([hello], { tools: [...tools, ...tools] }), /twice/],
    [
      'with a schema of no object',
      request([hello], { tools: [{ name: 'x', input_schema: { type: 'string' } }] }),
      /input_schema/,
    ],
    ['with too much temperature', request([hello], { temperature: 1.5 }), /temperature/],
    [
      'with temperature and top_p',
      request([hello], { temperature: 0.5, top_p: 0.5 }),
      /not be given both/,
    ],
    [
      'with temperature for the newest',
      request([hello], { model: 'claude-opus-5', temperature: 0.5 }),
      /no sampling/,
    ],
    ['with temperature and thinking', request([hello], { ...budget, temperature: 0 }), /thinks/],
    ['with low top_p and thinking', request([hello], { ...budget, top_p: 0.5 }), /0\.95/],
    [
      'with a budget for the newest',
      request([hello], { ...budget, model: 'claude-opus-4-7' }),
      /no thinking budget/,
    ],
    ['with a small budget', request([hello], { ...budget, max_tokens: 1024 }), /below max_tokens/],
    [
      'with thinking without a signature',
      request([hello, assistant({ ...thinking, signature: '' }), hello]),
      /signature/,
    ],
    [
      'with thinking asked for behind calls that had none',
      request([hello, assistant(call()), user(result())], { ...budget, tools }),
      /stand behind thinking/,
    ],
    [
      'with an image in a strange format',
      request([image({ type: 'base64', media_type: 'image/tiff', data: 'AAAA' })]),
      /media_type/,
    ],
    ['with a data URL', request([image({ type: 'url', url: 'data:image/png;base64,AA' })]), /url/],
  ])('%s', (_what, body, problem) => {
    expect(problemsOfAnthropicRequest(body).join('\n')).toMatch(problem);
  });
});
