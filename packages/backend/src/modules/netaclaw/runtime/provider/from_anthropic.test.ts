import type Anthropic from '@anthropic-ai/sdk';
import { describe, expect, it } from 'vitest';
import { anthropicStreamReader, readAnthropicAnswer } from './from_anthropic.js';

const MODEL = 'claude-sonnet-4-5';
const reading = () => {
  let count = 0;
  return { model: MODEL, newCallId: () => `call_new_${++count}` };
};

/** Reads a stream of events as its lines of data came; strings are taken as they are. */
function read(events: readonly unknown[]) {
  const reader = anthropicStreamReader(reading());
  const seen: [kind: string, text: string][] = [];
  const sink = {
    text: (text: string) => void seen.push(['text', text]),
    reasoning: (text: string) => void seen.push(['reasoning', text]),
  };
  for (const event of events) {
    const data = typeof event === 'string' ? event : JSON.stringify(event);
    const problem = reader.read(data, sink);
    if (problem !== null) return { seen, problem, reader };
  }
  const finished = reader.finish();
  return finished.ok
    ? { seen, answer: finished.answer, problem: null, reader }
    : { seen, problem: finished.problem, reader };
}

const start = (usage: object = { input_tokens: 10, output_tokens: 1 }) => ({
  type: 'message_start',
  message: { id: 'msg_1', type: 'message', role: 'assistant', content: [], model: MODEL, usage },
});
const begin = (index: number, content_block: object) => ({
  type: 'content_block_start',
  index,
  content_block,
});
const delta = (index: number, fields: object) => ({
  type: 'content_block_delta',
  index,
  delta: fields,
});
const text = (index: number, piece: string) => delta(index, { type: 'text_delta', text: piece });
const json = (index: number, partial_json: string) =>
  delta(index, { type: 'input_json_delta', partial_json });
const stop = (index: number) => ({ type: 'content_block_stop', index });
const ending = (stop_reason: string | null, usage: object = { output_tokens: 5 }) => ({
  type: 'message_delta',
  delta: { stop_reason, stop_sequence: null },
  usage,
});
const over = { type: 'message_stop' };
const textBlock = { type: 'text', text: '' };
const use = (id: string, input: object = {}) => ({ type: 'tool_use', id, name: 'list_dir', input });

describe('a stream', () => {
  it('has deltas, an answer and its usage', () => {
    const { seen, answer } = read([
      start(),
      begin(0, textBlock),
      { type: 'ping' },
      text(0, 'Good '),
      text(0, 'day'),
      stop(0),
      ending('end_turn'),
      over,
    ] satisfies unknown[]);
    expect(seen).toEqual([
      ['text', 'Good '],
      ['text', 'day'],
    ]);
    expect(answer).toEqual({
      message: { role: 'assistant', content: 'Good day' },
      stopReason: 'stop',
      usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15 },
    });
  });

  it('puts calls together by the index of their block', () => {
    const { answer, seen } = read([
      start(),
      begin(0, textBlock),
      text(0, 'I look.'),
      stop(0),
      begin(1, use('toolu_a')),
      begin(2, use('toolu_b')),
      json(1, ''),
      json(2, '{"path'),
      json(1, '{"path": '),
      json(2, '":"b"}'),
      json(1, '"a"}'),
      stop(1),
      stop(2),
      ending('tool_use'),
      over,
    ]);
    expect(answer?.message).toEqual({
      role: 'assistant',
      content: 'I look.',
      toolCalls: [
        { id: 'toolu_a', name: 'list_dir', arguments: '{"path": "a"}' },
        { id: 'toolu_b', name: 'list_dir', arguments: '{"path":"b"}' },
      ],
    });
    expect(answer?.stopReason).toBe('tool_calls');
    expect(seen).toEqual([['text', 'I look.']]);
  });

  it.each([
    ['without arguments', [begin(0, use('a'))], '{}'],
    ['with arguments in its beginning', [begin(0, use('a', { x: 1 }))], '{"x":1}'],
    ['with arguments that are cut off', [begin(0, use('a')), json(0, '{"x": ')], '{"x":'],
  ])('has a call %s', (_what, events, expected) => {
    const { answer } = read([start(), ...events, ending('tool_use'), over]);
    expect(answer?.message.toolCalls).toMatchObject([{ arguments: expected }]);
  });

  it('gives ids to calls that have none of their own', () => {
    const blocks = [use(''), use('a'), use('a')].map((block, at) => begin(at, block));
    const { answer } = read([start(), ...blocks, ending('tool_use'), over]);
    expect(answer?.message.toolCalls?.map(({ id }) => id)).toEqual([
      'call_new_1',
      'a',
      'call_new_2',
    ]);
  });

  it('keeps every block of a server that gives all the same index', () => {
    const { answer } = read([
      start(),
      begin(0, textBlock),
      text(0, 'Hm'),
      stop(0),
      begin(0, use('a')),
      json(0, '{}'),
      begin(0, use('b')),
      json(0, '{"x":1}'),
      ending('tool_use'),
      over,
    ]);
    expect(answer?.message).toMatchObject({
      content: 'Hm',
      toolCalls: [
        { id: 'a', arguments: '{}' },
        { id: 'b', arguments: '{"x":1}' },
      ],
    });
  });

  it('reads text and deltas of blocks that were never begun', () => {
    const { answer, seen } = read([start(), text(0, 'Hi'), ending('end_turn'), over]);
    expect(answer?.message.content).toBe('Hi');
    expect(seen).toEqual([['text', 'Hi']]);
  });

  it('shows text that stands in the beginning of a block', () => {
    const { answer, seen } = read([
      start(),
      begin(0, { type: 'text', text: 'Good ' }),
      text(0, 'day'),
      ending('end_turn'),
      over,
    ]);
    expect(answer?.message.content).toBe('Good day');
    expect(seen.map(([, piece]) => piece).join('')).toBe('Good day');
  });

  it('passes over events, blocks and deltas that it does not know', () => {
    const { answer, seen, problem } = read([
      { type: 'a_new_event', error: null },
      start(),
      begin(0, { type: 'server_tool_use', id: 'x', name: 'web_search', input: {} }),
      json(1, ''),
      begin(2, textBlock),
      delta(2, { type: 'citations_delta', citation: {} }),
      delta(2, { type: 'a_new_delta', text: 'no' }),
      text(2, 'Hi'),
      { type: 'content_block_delta' },
      { type: 'content_block_start', index: 3 },
      ending('end_turn'),
      over,
    ]);
    expect(problem).toBeNull();
    expect(seen).toEqual([['text', 'Hi']]);
    expect(answer?.message.content).toBe('Hi');
  });

  it('is done at message_stop, or at the [DONE] that some proxies add', () => {
    const whole = [start(), text(0, 'Hi'), ending('end_turn')];
    expect(read([...whole, over]).reader.isDone).toBe(true);
    expect(read([...whole, '[DONE]']).reader.isDone).toBe(true);
    expect(read(whole)).toMatchObject({ answer: { message: { content: 'Hi' } } });
  });
});

describe('reasoning', () => {
  const thinking = { type: 'thinking', thinking: '', signature: '' };
  const think = (index: number, piece: string) =>
    delta(index, { type: 'thinking_delta', thinking: piece });
  const sign = (index: number, signature: string) =>
    delta(index, { type: 'signature_delta', signature });

  it('is shown as it comes and sealed as it came', () => {
    const { answer, seen } = read([
      start(),
      begin(0, thinking),
      think(0, 'Let me '),
      think(0, 'see.'),
      sign(0, 'c2ln'),
      stop(0),
      begin(1, { type: 'redacted_thinking', data: 'ZGF0YQ==' }),
      stop(1),
      begin(2, use('a')),
      json(2, '{}'),
      stop(2),
      ending('tool_use'),
      over,
    ]);
    expect(seen).toEqual([
      ['reasoning', 'Let me '],
      ['reasoning', 'see.'],
    ]);
    expect(answer?.message).toEqual({
      role: 'assistant',
      content: '',
      reasoning: 'Let me see.',
      sealedReasoning: {
        protocol: 'anthropic_messages',
        model: MODEL,
        items: [
          { type: 'thinking', thinking: 'Let me see.', signature: 'c2ln' },
          { type: 'redacted_thinking', data: 'ZGF0YQ==' },
        ],
      },
      toolCalls: [{ id: 'a', name: 'list_dir', arguments: '{}' }],
    });
  });

  it('is sealed though nothing of it is shown', () => {
    const { answer } = read([
      start(),
      begin(0, thinking),
      sign(0, 'c2ln'),
      begin(1, textBlock),
      text(1, 'Yes'),
      ending('end_turn'),
      over,
    ]);
    expect(answer?.message).not.toHaveProperty('reasoning');
    expect(answer?.message.sealedReasoning?.items).toEqual([
      { type: 'thinking', thinking: '', signature: 'c2ln' },
    ]);
  });

  it('without a signature is not sealed', () => {
    const { answer } = read([
      start(),
      begin(0, thinking),
      think(0, 'Hm'),
      ending('end_turn'),
      over,
    ]);
    expect(answer?.message).toEqual({ role: 'assistant', content: '', reasoning: 'Hm' });
  });
});

describe('usage', () => {
  const cases: { how: string; first: object; last: object; counts: [number, number] }[] = [
    {
      how: 'in two parts',
      first: { input_tokens: 7, output_tokens: 1 },
      last: { output_tokens: 9 },
      counts: [7, 9],
    },
    {
      how: 'with a cache',
      first: { input_tokens: 7, cache_creation_input_tokens: 20, cache_read_input_tokens: 300 },
      last: { output_tokens: 9 },
      counts: [327, 9],
    },
    {
      how: 'all at the end',
      first: { input_tokens: 0, output_tokens: 0 },
      last: { input_tokens: 7, cache_read_input_tokens: 3, output_tokens: 9 },
      counts: [10, 9],
    },
    {
      how: 'said again as zero',
      first: { input_tokens: 7 },
      last: { input_tokens: 0, output_tokens: 9 },
      counts: [7, 9],
    },
    {
      how: 'of null',
      first: { input_tokens: 7, cache_read_input_tokens: null },
      last: { output_tokens: 9 },
      counts: [7, 9],
    },
    {
      how: 'of nonsense',
      first: { input_tokens: 'x' },
      last: { output_tokens: -3 },
      counts: [0, 0],
    },
  ];
  it.each(cases)('$how', ({ first, last, counts: [inputTokens, outputTokens] }) => {
    const { answer } = read([start(first), text(0, 'Hi'), ending('end_turn', last), over]);
    const totalTokens = inputTokens + outputTokens;
    expect(answer?.usage).toEqual({ inputTokens, outputTokens, totalTokens });
  });
});

describe('the stop reason', () => {
  it.each<[Anthropic.StopReason | 'a_new_reason' | '', string]>([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['tool_use', 'tool_calls'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['refusal', 'content_filter'],
    ['pause_turn', 'other'],
    ['a_new_reason', 'other'],
    ['', 'stop'],
  ])('%s', (given, expected) => {
    const { answer } = read([start(), text(0, 'Hi'), ending(given), over]);
    expect(answer?.stopReason).toBe(expected);
  });

  it('is the calls where there are any', () => {
    const { answer } = read([start(), begin(0, use('a')), ending('end_turn'), over]);
    expect(answer?.stopReason).toBe('tool_calls');
  });
});

describe('a problem in a stream', () => {
  it.each<[string, unknown[], RegExp]>([
    [
      'an error event',
      [
        start(),
        text(0, 'Hi'),
        { type: 'error', error: { type: 'overloaded_error', message: 'Busy' } },
      ],
      /^Busy$/,
    ],
    ['an error without words', [{ type: 'error', error: { type: 'api_error' } }], /api_error/],
    ['an error without anything', [{ type: 'error' }], /"error"/],
    ['an error of a proxy', [{ error: 'upstream is gone' }], /^upstream is gone$/],
    ['no JSON', ['<html>'], /not JSON: <html>/],
    ['JSON that is no object', ['[1]'], /not JSON/],
    ['an end in the middle', [start(), text(0, 'Hi'), stop(0)], /broke off/],
    ['an end in a call', [start(), begin(0, use('a')), json(0, '{"x"')], /broke off/],
    ['nothing', [], /answered with nothing/],
    ['nothing but pings', [{ type: 'ping' }, over], /answered with nothing/],
  ])('%s', (_what, events, sentence) => {
    expect(read(events).problem).toMatch(sentence);
  });
});

describe('a whole answer', () => {
  const whole = (content: unknown, more: object = {}) => ({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: MODEL,
    content,
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 10, cache_read_input_tokens: 2, output_tokens: 5 },
    ...more,
  });
  const answerOf = (value: unknown) => {
    const answered = readAnthropicAnswer(JSON.stringify(value), reading());
    if (!answered.ok) throw new Error(answered.problem);
    return answered.answer;
  };

  it('has text, reasoning, calls and usage', () => {
    const content = [
      { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
      { type: 'text', text: 'I look. ', citations: null },
      { type: 'text', text: 'Wait.' },
      use('toolu_a', { path: '.' }),
      use('toolu_b'),
    ];
    expect(answerOf(whole(content, { stop_reason: 'tool_use' }))).toEqual({
      message: {
        role: 'assistant',
        content: 'I look. Wait.',
        reasoning: 'Hm.',
        sealedReasoning: { protocol: 'anthropic_messages', model: MODEL, items: [content[0]] },
        toolCalls: [
          { id: 'toolu_a', name: 'list_dir', arguments: '{"path":"."}' },
          { id: 'toolu_b', name: 'list_dir', arguments: '{}' },
        ],
      },
      stopReason: 'tool_calls',
      usage: { inputTokens: 12, outputTokens: 5, totalTokens: 17 },
    });
  });

  it('may be empty, and without usage', () => {
    expect(answerOf(whole([], { stop_reason: 'refusal', usage: undefined }))).toEqual({
      message: { role: 'assistant', content: '' },
      stopReason: 'content_filter',
      usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 },
    });
  });

  it('keeps input that a confused server sends as text', () => {
    const content = [{ ...use('a'), input: '{"path": ' }];
    expect(answerOf(whole(content)).message.toolCalls).toMatchObject([{ arguments: '{"path":' }]);
  });

  it.each([
    ['nothing', ' ', /answered with nothing/],
    ['half a document', '{"content": [', /not complete JSON/],
    ['another document', '{"hello": 1}', /not a message: {"hello":1}/],
    [
      'an error',
      '{"type":"error","error":{"type":"api_error","message":"No credit"}}',
      /^No credit$/,
    ],
  ])('is not %s', (_what, body, sentence) => {
    const answered = readAnthropicAnswer(body, reading());
    expect(answered.ok ? '' : answered.problem).toMatch(sentence);
  });
});
