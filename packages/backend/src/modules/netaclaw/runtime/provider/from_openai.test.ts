import { describe, expect, it } from 'vitest';
import { openAiStreamReader, readOpenAiAnswer } from './from_openai.js';

let made = 0;
const newCallId = () => `made_${++made}`;
const source = { model: 'deepseek-x', newCallId };

/** Plays recorded chunks; returns the answer, or the problem, and the deltas in order. */
function play(chunks: readonly unknown[], { done = true } = {}) {
  made = 0;
  const reader = openAiStreamReader(source);
  const deltas: string[] = [];
  const sink = {
    text: (text: string) => void deltas.push(`text:${text}`),
    reasoning: (text: string) => void deltas.push(`reasoning:${text}`),
  };
  for (const chunk of chunks) {
    const problem = reader.read(typeof chunk === 'string' ? chunk : JSON.stringify(chunk), sink);
    if (problem !== null) return { deltas, problem };
  }
  if (done) reader.read('[DONE]', sink);
  const read = reader.finish();
  return read.ok ? { deltas, answer: read.answer } : { deltas, problem: read.problem };
}

const delta = (value: object, finish: string | null = null) => ({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta: value, finish_reason: finish }],
});
const callsOf = (...entries: object[]) => delta({ tool_calls: entries });
const toolCalls = (chunks: readonly unknown[]) => play(chunks).answer?.message.toolCalls;

const beginCall = (index: number, id: string, name: string) => ({
  index,
  id,
  type: 'function',
  function: { name, arguments: '' },
});

const moreOfCall = (index: number, text: string) => ({ index, function: { arguments: text } });

const wholeCall = (fields: object, name: string, text = '{}') => ({
  ...fields,
  function: { name, arguments: text },
});

const repeatedPiece = (text: string) => wholeCall({ index: 0, id: 'a' }, 'one', text);

const readWhole = (message: object, finish: string | null = 'stop', more: object = {}) =>
  readOpenAiAnswer(
    JSON.stringify({ choices: [{ index: 0, message, finish_reason: finish }], ...more }),
    source,
  );

const callWithId = (id?: string) => ({
  id,
  type: 'function',
  function: { name: 'now', arguments: '' },
});

describe('recorded streams', () => {
  it('OpenAI: text, and usage in a last chunk without choices', () => {
    const played = play([
      { ...delta({ role: 'assistant', content: '', refusal: null }), usage: null },
      { ...delta({ content: 'Hel' }), usage: null },
      { ...delta({ content: 'lo' }), usage: null },
      { ...delta({}, 'stop'), usage: null },
      {
        choices: [],
        usage: {
          prompt_tokens: 9,
          completion_tokens: 2,
          total_tokens: 11,
          prompt_tokens_details: { cached_tokens: 0 },
        },
      },
    ]);
    expect(played).toEqual({
      deltas: ['text:Hel', 'text:lo'],
      answer: {
        message: { role: 'assistant', content: 'Hello' },
        stopReason: 'stop',
        usage: { inputTokens: 9, outputTokens: 2, totalTokens: 11 },
      },
    });
  });

  it('OpenAI: parallel calls, their arguments in pieces', () => {
    const played = play([
      delta({ role: 'assistant', content: null }),
      callsOf(beginCall(0, 'call_a', 'read_file')),
      callsOf(moreOfCall(0, '{"path"')),
      callsOf(moreOfCall(0, ':"a"}')),
      callsOf(beginCall(1, 'call_b', 'bash')),
      callsOf(moreOfCall(1, '{}')),
      delta({}, 'tool_calls'),
    ]);
    expect(played.answer).toMatchObject({
      message: {
        content: '',
        toolCalls: [
          { id: 'call_a', name: 'read_file', arguments: '{"path":"a"}' },
          { id: 'call_b', name: 'bash', arguments: '{}' },
        ],
      },
      stopReason: 'tool_calls',
    });
  });

  it('DeepSeek: reasoning_content before the content', () => {
    const played = play([
      delta({ role: 'assistant', content: null, reasoning_content: 'Let me ' }),
      delta({ content: null, reasoning_content: 'think.' }),
      delta({ content: '42', reasoning_content: null }),
      {
        ...delta({ content: '', reasoning_content: null }, 'stop'),
        usage: {
          prompt_tokens: 5,
          completion_tokens: 7,
          total_tokens: 12,
          prompt_cache_hit_tokens: 0,
        },
      },
    ]);
    expect(played.deltas).toEqual(['reasoning:Let me ', 'reasoning:think.', 'text:42']);
    expect(played.answer?.message).toEqual({
      role: 'assistant',
      content: '42',
      reasoning: 'Let me think.',
    });
    expect(played.answer?.usage.totalTokens).toBe(12);
  });

  it('vLLM: usage in each chunk, the last one counts; finish reason beside calls is stop', () => {
    const call = { index: 0, id: 'chatcmpl-tool-1', type: 'function', function: { name: 'now' } };
    const played = play([
      { ...callsOf(call), usage: { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 } },
      {
        ...delta({}, 'stop'),
        usage: { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 },
      },
    ]);
    expect(played.answer).toMatchObject({
      message: { toolCalls: [{ id: 'chatcmpl-tool-1', name: 'now', arguments: '{}' }] },
      stopReason: 'tool_calls',
      usage: { inputTokens: 5, outputTokens: 3, totalTokens: 8 },
    });
  });

  it('Ollama: a whole call in one chunk, reasoning under its short name', () => {
    const call = {
      id: 'call_x1',
      index: 0,
      type: 'function',
      function: { name: 'list_dir', arguments: '{"path":"."}' },
    };
    const played = play([
      delta({ role: 'assistant', content: '', reasoning: 'Hm.' }),
      delta({ role: 'assistant', content: '', tool_calls: [call] }, 'tool_calls'),
    ]);
    expect(played.answer?.message).toEqual({
      role: 'assistant',
      content: '',
      reasoning: 'Hm.',
      toolCalls: [{ id: 'call_x1', name: 'list_dir', arguments: '{"path":"."}' }],
    });
  });
});

describe('reasoning that its server may want back', () => {
  const call = callWithId('a');
  const kept = {
    protocol: 'openai_chat',
    model: 'deepseek-x',
    items: [{ reasoning_content: 'Let me look.' }],
  };

  it('is kept beside calls, streamed or whole', () => {
    const played = play([
      delta({ role: 'assistant', content: null, reasoning_content: 'Let me ' }),
      delta({ reasoning_content: 'look.' }),
      callsOf({ index: 0, ...call }),
      delta({}, 'tool_calls'),
    ]);
    expect(played.answer?.message).toMatchObject({
      reasoning: 'Let me look.',
      sealedReasoning: kept,
    });
    const whole = { content: '', reasoning_content: 'Let me look.', tool_calls: [call] };
    expect(readWhole(whole, 'tool_calls')).toMatchObject({
      answer: { message: { sealedReasoning: kept } },
    });
  });

  it.each([
    ['without calls', { content: 'Well.', reasoning_content: 'Hm.' }],
    ['under another name', { content: '', reasoning: 'Hm.', tool_calls: [call] }],
    ['that is null', { content: '', reasoning_content: null, tool_calls: [call] }],
  ])('is not kept %s', (_what, message) => {
    const read = readWhole(message);
    expect(read.ok && read.answer.message).not.toHaveProperty('sealedReasoning');
    expect(read.ok).toBe(true);
  });
});

describe('calls from servers with habits of their own', () => {
  it('all with index 0 but different ids', () => {
    const calls = toolCalls([
      callsOf(wholeCall({ index: 0, id: 'a' }, 'one')),
      callsOf(wholeCall({ index: 0, id: 'b' }, 'two')),
    ]);
    expect(calls?.map(({ id, name }) => [id, name])).toEqual([
      ['a', 'one'],
      ['b', 'two'],
    ]);
  });

  it('without index: pieces by id, later pieces by place', () => {
    const calls = toolCalls([
      callsOf({ id: 'a', function: { name: 'one', arguments: '{"x"' } }),
      callsOf({ function: { arguments: ':1}' } }),
      callsOf({ id: 'b', function: { name: 'two', arguments: '{' } }),
      callsOf({ function: { arguments: '}' } }),
    ]);
    expect(calls).toEqual([
      { id: 'a', name: 'one', arguments: '{"x":1}' },
      { id: 'b', name: 'two', arguments: '{}' },
    ]);
  });

  it('without index and id: each complete call is one, and gets an id', () => {
    expect(
      toolCalls([
        callsOf(wholeCall({}, 'one'), wholeCall({}, 'two')),
        callsOf(wholeCall({}, 'one')),
      ]),
    ).toEqual([
      { id: 'made_1', name: 'one', arguments: '{}' },
      { id: 'made_2', name: 'two', arguments: '{}' },
      { id: 'made_3', name: 'one', arguments: '{}' },
    ]);
  });

  it('id and name in every piece', () => {
    expect(
      toolCalls([
        callsOf(repeatedPiece('{"x"')),
        callsOf(repeatedPiece(':1')),
        callsOf(repeatedPiece('}')),
      ]),
    ).toEqual([{ id: 'a', name: 'one', arguments: '{"x":1}' }]);
  });

  it('one id for two calls under two indexes', () => {
    made = 0;
    const calls = toolCalls([
      callsOf(wholeCall({ index: 0, id: 'a' }, 'one'), wholeCall({ index: 1, id: 'a' }, 'two')),
    ]);
    expect(calls?.map(({ id, name }) => [id, name])).toEqual([
      ['a', 'one'],
      ['made_1', 'two'],
    ]);
  });

  it('the name in pieces', () => {
    const calls = toolCalls([
      callsOf({ index: 0, id: 'a', function: { name: 'read_' } }),
      callsOf({ index: 0, function: { name: 'file' } }),
      callsOf({ index: 0, function: { arguments: '{}' } }),
    ]);
    expect(calls).toEqual([{ id: 'a', name: 'read_file', arguments: '{}' }]);
  });

  it('the id after the name', () => {
    const calls = toolCalls([
      callsOf({ index: 0, function: { name: 'one', arguments: '' } }),
      callsOf({ index: 0, id: 'late', function: { arguments: '{}' } }),
    ]);
    expect(calls).toEqual([{ id: 'late', name: 'one', arguments: '{}' }]);
  });

  it('arguments as an object', () => {
    const call = { index: 0, id: 'a', function: { name: 'one', arguments: { x: 1 } } };
    expect(toolCalls([callsOf(call)])?.[0]?.arguments).toBe('{"x":1}');
  });

  it('arguments that do not parse are passed on as they are', () => {
    const call = { index: 0, id: 'a', function: { name: 'one', arguments: '{"x' } };
    expect(toolCalls([callsOf(call)])?.[0]?.arguments).toBe('{"x');
  });

  it('nonsense in place of calls', () => {
    expect(toolCalls([delta({ tool_calls: 'none' }), callsOf({}), delta({ content: 'x' })])).toBe(
      undefined,
    );
  });
});

describe('streams that fail', () => {
  it('half a stream', () => {
    expect(play([delta({ content: 'Hel' })], { done: false }).problem).toMatch('broke off');
  });

  it('nothing but the end', () => {
    expect(play([]).problem).toMatch('answered with nothing');
  });

  it('a finish reason is an end, with or without [DONE]', () => {
    expect(play([delta({ content: 'Hi' }, 'stop')], { done: false }).answer).toBeDefined();
    expect(play([delta({ content: 'Hi' })]).answer?.stopReason).toBe('stop');
  });

  it.each([
    ['OpenAI', { error: { message: 'Overloaded', type: 'server_error' } }],
    ['vLLM', { object: 'error', message: 'Overloaded', code: 500 }],
    ['a proxy, beside choices', { error: { message: 'Overloaded', code: 502 }, choices: [] }],
    ['Ollama', { error: 'Overloaded' }],
  ])('an error inside, as from %s', (_who, event) => {
    expect(play([delta({ content: 'Hel' }), event]).problem).toBe('Overloaded');
  });

  it('an event that is not JSON', () => {
    expect(play(['{"choices": [']).problem).toMatch('not JSON');
  });

  it('a chunk of a form unknown is passed over', () => {
    expect(play([{ type: 'ping' }, delta({ content: 'Hi' }, 'stop')]).answer).toBeDefined();
  });
});

describe('whole answers', () => {
  it.each([
    ['a string', { content: 'Hello' }, 'Hello'],
    ['null', { content: null }, ''],
    ['missing', {}, ''],
    [
      'parts',
      {
        content: [
          { type: 'text', text: 'Hel' },
          { type: 'text', text: 'lo' },
        ],
      },
      'Hello',
    ],
    ['a refusal', { content: null, refusal: 'I cannot.' }, 'I cannot.'],
  ])('content that is %s', (_what, message, content) => {
    expect(readWhole(message)).toMatchObject({ ok: true, answer: { message: { content } } });
  });

  it('calls, with a new id where one is missing or used twice', () => {
    made = 0;
    const read = readWhole(
      { content: null, tool_calls: [callWithId('a'), callWithId('a'), callWithId()] },
      'tool_calls',
    );
    expect(read).toMatchObject({
      answer: { message: { toolCalls: [{ id: 'a' }, { id: 'made_1' }, { id: 'made_2' }] } },
    });
  });

  it.each([
    ['stop', 'stop'],
    ['length', 'length'],
    ['content_filter', 'content_filter'],
    ['function_call', 'tool_calls'],
    ['LENGTH', 'length'],
    ['insufficient_system_resource', 'other'],
    [null, 'stop'],
  ])('finish reason %s means %s', (finish, stopReason) => {
    expect(readWhole({ content: 'x' }, finish)).toMatchObject({ answer: { stopReason } });
  });

  it('usage that is missing or nonsense is zero, a missing total is the sum', () => {
    const zeros = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };
    expect(readWhole({ content: 'x' })).toMatchObject({ answer: { usage: zeros } });
    expect(readWhole({ content: 'x' }, 'stop', { usage: 'much' })).toMatchObject({
      answer: { usage: zeros },
    });
    const usage = { prompt_tokens: 3, completion_tokens: 4 };
    expect(readWhole({ content: 'x' }, 'stop', { usage })).toMatchObject({
      answer: { usage: { inputTokens: 3, outputTokens: 4, totalTokens: 7 } },
    });
  });

  it.each([
    ['', 'answered with nothing'],
    ['{"choices":[{"mess', 'not complete JSON'],
    ['{"choices":[]}', 'not a chat completion'],
    ['[]', 'not a chat completion'],
    ['{"error":{"message":"No credit"}}', 'No credit'],
  ])('%s is a problem: %s', (text, problem) => {
    expect(readOpenAiAnswer(text, source)).toMatchObject({
      ok: false,
      problem: expect.stringContaining(problem),
    });
  });
});
