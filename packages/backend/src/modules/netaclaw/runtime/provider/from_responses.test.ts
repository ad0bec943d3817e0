import type OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { readResponsesAnswer, responsesStreamReader } from './from_responses.js';

type StreamEvent = OpenAI.Responses.ResponseStreamEvent;

let made = 0;
const source = { model: 'gpt-x', newCallId: () => `made_${++made}` };

/** Plays recorded events; returns the answer, or the problem, and the deltas in order. */
function play(events: readonly unknown[]) {
  made = 0;
  const reader = responsesStreamReader(source);
  const deltas: string[] = [];
  const sink = {
    text: (text: string) => void deltas.push(`text:${text}`),
    reasoning: (text: string) => void deltas.push(`reasoning:${text}`),
  };
  for (const event of events) {
    const problem = reader.read(typeof event === 'string' ? event : JSON.stringify(event), sink);
    if (problem !== null) return { deltas, problem };
    if (reader.isDone) break;
  }
  const read = reader.finish();
  return read.ok ? { deltas, answer: read.answer } : { deltas, problem: read.problem };
}

const usage = {
  input_tokens: 9,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 2,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 11,
};
const responseOf = (output: readonly object[], more: object = {}) => ({
  id: 'resp_1',
  object: 'response',
  status: 'completed',
  error: null,
  incomplete_details: null,
  output,
  usage,
  ...more,
});
const created = { type: 'response.created', response: responseOf([], { status: 'in_progress' }) };
const end = (output: readonly object[] = [], more: object = {}) => ({
  type: 'response.completed',
  response: responseOf(output, more),
});
const added = (index: number, item: object) => ({
  type: 'response.output_item.added',
  output_index: index,
  item,
});
const done = (index: number, item: object) => ({
  type: 'response.output_item.done',
  output_index: index,
  item,
});
const text = (delta: string, more: object = {}) => ({
  type: 'response.output_text.delta',
  item_id: 'msg_1',
  output_index: 0,
  content_index: 0,
  delta,
  ...more,
});
const piece = (index: number, id: string, delta: string) => ({
  type: 'response.function_call_arguments.delta',
  output_index: index,
  item_id: id,
  delta,
});
const whole = (index: number, id: string, text: string) => ({
  type: 'response.function_call_arguments.done',
  output_index: index,
  item_id: id,
  arguments: text,
});
const summary = (delta: string, part = 0, index = 0) => ({
  type: 'response.reasoning_summary_text.delta',
  item_id: `rs_${index}`,
  output_index: index,
  summary_index: part,
  delta,
});
const callItem = (id: string, callId: string, more: object = {}) => ({
  type: 'function_call',
  id,
  call_id: callId,
  name: 'list_dir',
  arguments: '',
  status: 'completed',
  ...more,
});
const messageItem = (id: string, text: string) => ({
  type: 'message',
  id,
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [] }],
});
const reasoningItem = (id: string, texts: string[], sealed: string | null) => ({
  type: 'reasoning',
  id,
  status: 'completed',
  summary: texts.map((text) => ({ type: 'summary_text', text })),
  encrypted_content: sealed,
});
const callsOf = (events: readonly unknown[]) => play(events).answer?.message.toolCalls;

describe('recorded streams', () => {
  it('OpenAI: text', () => {
    const events = [
      added(0, { ...messageItem('msg_1', ''), content: [] }),
      text('Hel'),
      text('lo'),
      done(0, messageItem('msg_1', 'Hello')),
    ];
    expect(play([created, ...events, end([messageItem('msg_1', 'Hello')])])).toEqual({
      deltas: ['text:Hel', 'text:lo'],
      answer: {
        message: { role: 'assistant', content: 'Hello' },
        stopReason: 'stop',
        usage: { inputTokens: 9, outputTokens: 2, totalTokens: 11 },
      },
    });
  });

  it('OpenAI: parallel calls, their arguments in pieces that alternate', () => {
    const events = [
      added(0, callItem('fc_1', 'call_a', { name: 'read_file' })),
      added(1, callItem('fc_2', 'call_b', { name: 'bash' })),
      piece(0, 'fc_1', '{"path"'),
      piece(1, 'fc_2', '{'),
      piece(0, 'fc_1', ':"a"}'),
      piece(1, 'fc_2', '}'),
      whole(0, 'fc_1', '{"path":"a"}'),
      done(0, callItem('fc_1', 'call_a', { arguments: '{"path":"a"}', name: 'read_file' })),
      done(1, callItem('fc_2', 'call_b', { arguments: '{}', name: 'bash' })),
    ];
    expect(play([created, ...events, end()]).answer).toMatchObject({
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

  it('OpenAI: a summary of reasoning in parts, sealed reasoning, words and a call', () => {
    const sealed = reasoningItem('rs_0', ['First.', 'Then.'], 'c2VhbGVk');
    const played = play([
      created,
      added(0, reasoningItem('rs_0', [], null)),
      summary('Fir'),
      summary('st.'),
      summary('Then.', 1),
      done(0, sealed),
      added(1, messageItem('msg_1', '')),
      text('Wait.', { output_index: 1 }),
      done(1, messageItem('msg_1', 'Wait.')),
      added(2, callItem('fc_1', 'call_a')),
      done(2, callItem('fc_1', 'call_a', { arguments: '{}' })),
      end(),
    ]);
    expect(played.deltas).toEqual([
      'reasoning:Fir',
      'reasoning:st.',
      'reasoning:\n\nThen.',
      'text:Wait.',
    ]);
    expect(played.answer?.message).toEqual({
      role: 'assistant',
      content: 'Wait.',
      reasoning: 'First.\n\nThen.',
      sealedReasoning: {
        protocol: 'openai_responses',
        model: 'gpt-x',
        items: [
          {
            type: 'reasoning',
            id: 'rs_0',
            summary: sealed.summary,
            encrypted_content: 'c2VhbGVk',
          },
        ],
      },
      toolCalls: [{ id: 'call_a', name: 'list_dir', arguments: '{}' }],
    });
  });

  it('open models: reasoning in the open, which nobody wants back', () => {
    const raw = { ...summary('Hm.'), type: 'response.reasoning_text.delta', content_index: 0 };
    const events = [created, raw, done(0, reasoningItem('rs_0', [], null))];
    const played = play([...events, added(1, callItem('fc', 'call_a')), end()]);
    expect(played.deltas).toEqual(['reasoning:Hm.']);
    expect(played.answer?.message.reasoning).toBe('Hm.');
    expect(played.answer?.message).not.toHaveProperty('sealedReasoning');
  });

  it('sealed reasoning without calls is not kept', () => {
    const { answer } = play([
      created,
      done(0, reasoningItem('rs_0', [], 'c2VhbGVk')),
      text('Well.', { output_index: 1 }),
      end(),
    ]);
    expect(answer?.message).toEqual({ role: 'assistant', content: 'Well.' });
  });

  it('a refusal is text', () => {
    const refusal = { ...text('I cannot.'), type: 'response.refusal.delta' };
    expect(play([created, refusal, end()])).toMatchObject({
      deltas: ['text:I cannot.'],
      answer: { message: { content: 'I cannot.' }, stopReason: 'stop' },
    });
  });

  it('two output messages are two paragraphs', () => {
    const second = { item_id: 'msg_2', output_index: 1 };
    const { deltas, answer } = play([text('One.'), text('Two', second), text('.', second), end()]);
    expect(answer?.message.content).toBe('One.\n\nTwo.');
    expect(deltas.join('')).toBe('text:One.text:\n\nTwotext:.');
  });

  it('events unknown are passed over', () => {
    const unknown = [
      { type: 'response.queued' },
      { type: 'response.web_search_call.searching', output_index: 0, item_id: 'ws' },
      added(0, { type: 'web_search_call', id: 'ws' }),
      done(0, { type: 'web_search_call', id: 'ws' }),
      { type: 'response.something_new', delta: 'x' },
      { type: 'keepalive' },
      added(0, { type: null }),
      { type: 'response.output_item.done' },
    ];
    const { deltas, answer } = play([created, ...unknown, text('Hi', { output_index: 1 }), end()]);
    expect(deltas).toEqual(['text:Hi']);
    expect(answer?.message).toEqual({ role: 'assistant', content: 'Hi' });
  });

  it('reads the events of the published types', () => {
    const events = [
      {
        type: 'response.output_text.delta',
        item_id: 'm',
        output_index: 0,
        content_index: 0,
        delta: 'a',
        logprobs: [],
        sequence_number: 1,
      },
      {
        type: 'response.refusal.delta',
        item_id: 'm',
        output_index: 0,
        content_index: 1,
        delta: 'b',
        sequence_number: 2,
      },
      {
        type: 'response.function_call_arguments.done',
        item_id: 'f',
        output_index: 1,
        name: 'now',
        arguments: '{}',
        sequence_number: 3,
      },
    ] satisfies StreamEvent[];
    expect(play([...events, end()]).answer?.message).toMatchObject({
      content: 'ab',
      toolCalls: [{ name: 'now', arguments: '{}' }],
    });
  });
});

describe('servers with habits of their own', () => {
  it('place 0 for every item: the id decides', () => {
    const calls = callsOf([
      added(0, callItem('fc_1', 'a', { name: 'one' })),
      added(0, callItem('fc_2', 'b', { name: 'two' })),
      piece(0, 'fc_1', '{"x":1}'),
      piece(0, 'fc_2', '{}'),
      end(),
    ]);
    expect(calls).toEqual([
      { id: 'a', name: 'one', arguments: '{"x":1}' },
      { id: 'b', name: 'two', arguments: '{}' },
    ]);
  });

  it('another item id in each event: the place decides', () => {
    const calls = callsOf([
      added(0, callItem('x1', 'a', { name: 'one' })),
      piece(0, 'x2', '{"x"'),
      added(1, callItem('y1', 'b', { name: 'two' })),
      piece(1, 'y2', '{}'),
      piece(0, 'x3', ':1}'),
      done(0, callItem('x4', 'a', { arguments: '{"x":1}', name: 'one' })),
      done(1, callItem('y3', 'b', { arguments: '{}', name: 'two' })),
      end(),
    ]);
    expect(calls).toEqual([
      { id: 'a', name: 'one', arguments: '{"x":1}' },
      { id: 'b', name: 'two', arguments: '{}' },
    ]);
  });

  it('nothing but whole items, all at place 0', () => {
    const events = [
      done(0, messageItem('m', 'Wait.')),
      done(0, callItem('f', 'a', { arguments: '{}', name: 'one' })),
      done(0, callItem('g', 'b', { arguments: '{}', name: 'two' })),
      end(),
    ];
    expect(play(events)).toMatchObject({
      deltas: ['text:Wait.'],
      answer: { message: { content: 'Wait.', toolCalls: [{ name: 'one' }, { name: 'two' }] } },
    });
  });

  it('nothing but the end', () => {
    const output = [
      reasoningItem('r', ['Hm.'], null),
      messageItem('m', 'Hi'),
      callItem('f', 'a', { arguments: '{}' }),
    ];
    expect(play([end(output)])).toMatchObject({
      deltas: ['reasoning:Hm.', 'text:Hi'],
      answer: { message: { content: 'Hi', reasoning: 'Hm.', toolCalls: [{ id: 'a' }] } },
    });
  });

  it('an item that is announced twice is one', () => {
    const item = callItem('fc_1', 'a', { name: 'one' });
    expect(callsOf([added(0, item), added(0, item), whole(0, 'fc_1', '{}'), end()])).toHaveLength(
      1,
    );
  });

  it('arguments said at the beginning and in pieces: the end counts', () => {
    const item = callItem('fc_1', 'a', { arguments: '{"x":1}' });
    const events = [added(0, item), piece(0, 'fc_1', '{"x":1}'), done(0, item), end()];
    expect(callsOf(events)?.[0]?.arguments).toBe('{"x":1}');
  });

  it('calls without an id of their own, or with one that is taken, get one', () => {
    const calls = callsOf([
      done(0, callItem('f', '', { arguments: '{}' })),
      done(1, callItem('g', 'a', { arguments: '{}' })),
      done(2, callItem('h', 'a', { arguments: '{}' })),
      end(),
    ]);
    expect(calls?.map(({ id }) => id)).toEqual(['made_1', 'a', 'made_2']);
  });

  it('arguments as an object, none at all, and such as do not parse', () => {
    const calls = callsOf([
      done(0, callItem('f', 'a', { arguments: { x: 1 } })),
      done(1, callItem('g', 'b')),
      done(2, callItem('h', 'c', { arguments: '{"x' })),
      end(),
    ]);
    expect(calls?.map((call) => call.arguments)).toEqual(['{"x":1}', '{}', '{"x']);
  });

  it('[DONE] at the end is no event', () => {
    expect(play([created, text('Hi'), '[DONE]', end()]).answer?.message.content).toBe('Hi');
    expect(play([created, text('Hi'), '[DONE]']).problem).toMatch('broke off');
  });
});

describe('why it stopped', () => {
  it.each([
    ['max_output_tokens', 'length'],
    ['content_filter', 'content_filter'],
    ['something_new', 'other'],
  ])('incomplete because of %s means %s', (reason, stopReason) => {
    const cut = { status: 'incomplete', incomplete_details: { reason } };
    const event = { ...end([], cut), type: 'response.incomplete' };
    const read = readResponsesAnswer(JSON.stringify(responseOf([], cut)), source);
    expect(play([created, text('Hel'), event]).answer).toMatchObject({
      message: { content: 'Hel' },
      stopReason,
    });
    expect(read).toMatchObject({ answer: { stopReason } });
  });

  it('an incomplete call keeps what has come of its arguments', () => {
    const cut = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } };
    const { answer } = play([
      added(0, callItem('f', 'a')),
      piece(0, 'f', '{"path": "a'),
      { ...end([], cut), type: 'response.incomplete' },
    ]);
    expect(answer).toMatchObject({
      message: { toolCalls: [{ id: 'a', arguments: '{"path": "a' }] },
      stopReason: 'length',
    });
  });
});

describe('streams that fail', () => {
  it.each([
    ['half a stream', [created, text('Hel')], 'broke off'],
    ['a beginning', [created], 'broke off'],
    ['nothing', [], 'answered with nothing'],
    ['an event that is not JSON', ['{"type":"resp'], 'not JSON'],
    ['an event that is no object', ['[1]'], 'not JSON'],
  ])('%s', (_what, events, problem) => {
    expect(play(events).problem).toMatch(problem);
  });

  const failure = (more: object) => ({
    type: 'response.failed',
    response: responseOf([], { status: 'failed', ...more }),
  });

  it.each<[string, object, string]>([
    ['response.failed', failure({ error: { code: 'x', message: 'Overloaded' } }), 'Overloaded'],
    ['response.failed without words', failure({}), 'failed without a word'],
    ['response.failed without a response', { type: 'response.failed' }, 'failed without a word'],
    ['error', { type: 'error', code: 'x', message: 'Overloaded', param: null }, 'Overloaded'],
    ['error, nested', { type: 'error', error: { message: 'Overloaded' } }, 'Overloaded'],
    ['error without words', { type: 'error' }, 'failed without a word'],
    ['an error of a proxy', { error: { message: 'Overloaded' } }, 'Overloaded'],
    ['an error in the end', end([], { error: { message: 'Overloaded' } }), 'Overloaded'],
  ])('%s', (_what, event, problem) => {
    const played = play([created, text('Hel'), event]);
    expect(played.problem).toMatch(problem);
    expect(played.deltas).toEqual(['text:Hel']);
  });
});

describe('whole answers', () => {
  const read = (output: readonly object[], more: object = {}) =>
    readResponsesAnswer(JSON.stringify(responseOf(output, more)), source);

  it('hold reasoning, words and calls', () => {
    const output = [
      reasoningItem('rs_0', ['Hm.'], 'c2VhbGVk'),
      messageItem('m', 'Wait.'),
      callItem('f', 'call_a', { arguments: '{"path":"."}' }),
    ];
    expect(read(output)).toMatchObject({
      answer: {
        message: {
          content: 'Wait.',
          reasoning: 'Hm.',
          sealedReasoning: { model: 'gpt-x', items: [{ id: 'rs_0' }] },
          toolCalls: [{ id: 'call_a', name: 'list_dir', arguments: '{"path":"."}' }],
        },
        stopReason: 'tool_calls',
        usage: { inputTokens: 9, outputTokens: 2, totalTokens: 11 },
      },
    });
  });

  it('a refusal is text, and no output is an empty answer', () => {
    const content = [{ type: 'refusal', refusal: 'I cannot.' }];
    expect(read([{ ...messageItem('m', ''), content }])).toMatchObject({
      answer: { message: { content: 'I cannot.' } },
    });
    expect(read([])).toMatchObject({ answer: { message: { content: '' }, stopReason: 'stop' } });
  });

  it('usage that is missing or nonsense is zero, a missing total is the sum', () => {
    const zeros = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };
    expect(read([], { usage: null })).toMatchObject({ answer: { usage: zeros } });
    expect(read([], { usage: 'much' })).toMatchObject({ answer: { usage: zeros } });
    expect(read([], { usage: { input_tokens: 3, output_tokens: 4 } })).toMatchObject({
      answer: { usage: { inputTokens: 3, outputTokens: 4, totalTokens: 7 } },
    });
  });

  it.each([
    ['', 'answered with nothing'],
    ['{"output":[{"mess', 'not complete JSON'],
    ['{"choices":[]}', 'not a response'],
    ['[]', 'not a response'],
    ['{"error":{"message":"No credit"}}', 'No credit'],
    ['{"output":[],"status":"failed","error":{"message":"No credit"}}', 'No credit'],
    ['{"output":[],"status":"in_progress"}', 'left the response in_progress'],
  ])('%s is a problem: %s', (text, problem) => {
    expect(readResponsesAnswer(text, source)).toMatchObject({
      ok: false,
      problem: expect.stringContaining(problem),
    });
  });
});
