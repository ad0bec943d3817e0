import type OpenAI from 'openai';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  failure,
  htmlPage,
  json,
  nothing,
  raw,
  redirect,
  reset,
  stall,
  startScriptedProvider,
  type Reply,
  type ScriptedProvider,
} from '../../../../test/scripted_provider.js';
import {
  answer as answerOf,
  answerEvents,
  call,
  calls,
  events as streamOf,
  failed,
  incomplete,
  reasoned,
  said,
  text,
  textDelta,
  truncated,
} from '../../../../test/scripted_responses.js';
import { problemsOfResponsesRequest } from '../../../../test/wire/responses_request.js';
import { parseAllowList } from '../../base/net/allow_list.js';
import { EgressClient } from '../../base/net/egress.js';
import { ModelError, type ModelEvent, type ModelRequest } from '../runtime/port.js';
import { createHttpChatModel, type HttpChannel } from './http_channel.js';
import { openAiResponses } from './openai_responses.js';

const KEY = 'canary-key-7f3a-do-not-show';
const HEADER = 'canary-header-91c2';

let provider: ScriptedProvider;
let egress: EgressClient;
let pauses: number[];

beforeEach(async () => {
  provider = await startScriptedProvider();
  provider.otherwise(text('ok'));
  egress = new EgressClient({ allow: parseAllowList(provider.host) });
  pauses = [];
});

afterEach(async () => {
  await egress.close();
  await provider.close();
  expectGoodRequests();
});

function expectGoodRequests(): void {
  const problems = provider.requests.map(({ body }) => problemsOfResponsesRequest(body));
  expect(problems.flat()).toEqual([]);
}

const request: ModelRequest = {
  messages: [{ role: 'user', content: 'Hello' }],
  tools: [{ name: 'list_dir', description: 'Lists.', parameters: { type: 'object' } }],
  stream: true,
};

function model(changed: Partial<HttpChannel> = {}) {
  return createHttpChatModel(openAiResponses, {
    baseUrl: provider.baseUrl,
    apiKey: KEY,
    headers: { 'X-Team': HEADER },
    timeoutMs: 2_000,
    options: { model: 'scripted', maxOutputTokens: 50, params: { temperature: 0 } },
    acceptsImages: false,
    egress,
    retry: {
      clockwork: {
        random: () => 1,
        sleep: async (ms) => void pauses.push(ms),
      },
    },
    ...changed,
  });
}

interface Asked {
  stream?: boolean;
  signal?: AbortSignal;
  channel?: Partial<HttpChannel>;
}

async function ask({ stream = true, signal, channel }: Asked = {}) {
  const events: ModelEvent[] = [];
  const call = model(channel).call({ ...request, stream }, signal ?? new AbortController().signal);
  for await (const event of call) events.push(event);
  const last = events.at(-1);
  if (last?.type !== 'answer') throw new Error('the answer is not the last event');
  return { events, answer: last.answer };
}

async function problem(asked: Asked = {}): Promise<ModelError> {
  const error: unknown = await ask(asked).then(
    () => new Error('it answered'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ModelError)) throw error;
  return error;
}

const textOf = (events: readonly ModelEvent[]) =>
  events.flatMap((event) => (event.type === 'text-delta' ? [event.text] : [])).join('');

const beginning = answerEvents([]).slice(0, 2);
const hel = [...beginning, textDelta('Hel')];

describe('an answer', () => {
  it('is streamed: deltas, then the whole with its usage', async () => {
    provider.script(text('one two three'));
    const { events, answer } = await ask();
    expect(events.length).toBeGreaterThan(1);
    expect(textOf(events)).toBe('one two three');
    expect(answer).toEqual({
      message: { role: 'assistant', content: 'one two three' },
      stopReason: 'stop',
      usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15 },
    });
  });

  it('comes whole, without deltas', async () => {
    provider.script(text('one two three'));
    const { events, answer } = await ask({ stream: false });
    expect(events).toHaveLength(1);
    expect(answer.message.content).toBe('one two three');
    expect(provider.requests[0]?.body.stream).toBeUndefined();
  });

  it.each([true, false])('may call tools (stream: %s)', async (stream) => {
    provider.script(
      calls(
        { name: 'list_dir', arguments: '{"path":"."}', id: 'call_1' },
        { name: 'list_dir', id: 'call_2' },
      ),
    );
    const { answer } = await ask({ stream });
    expect(answer.message.toolCalls).toEqual([
      { id: 'call_1', name: 'list_dir', arguments: '{"path":"."}' },
      { id: 'call_2', name: 'list_dir', arguments: '{}' },
    ]);
    expect(answer.stopReason).toBe('tool_calls');
  });

  it.each([true, false])('may reason, think aloud and call (stream: %s)', async (stream) => {
    const items = [reasoned('Let me see.'), said('Wait.'), call({ name: 'list_dir', id: 'c' })];
    provider.script(answerOf(items));
    const { events, answer } = await ask({ stream });
    expect(answer.message).toMatchObject({
      content: 'Wait.',
      reasoning: 'Let me see.',
      sealedReasoning: {
        protocol: 'openai_responses',
        model: 'scripted',
        items: [{ encrypted_content: 'c2VhbGVk' }],
      },
    });
    const thoughts = events.flatMap((event) =>
      event.type === 'reasoning-delta' ? [event.text] : [],
    );
    expect(thoughts.join('')).toBe(stream ? 'Let me see.' : '');
  });

  it('is understood whichever way it comes', async () => {
    const whole = json({ status: 'completed', output: [said('whole')] });
    provider.script(whole, streamOf(answerEvents([said('streamed')])));
    expect((await ask({ stream: true })).answer.message.content).toBe('whole');
    const streamed = await ask({ stream: false });
    expect(streamed.answer.message.content).toBe('streamed');
    expect(streamed.events).toHaveLength(1);
  });

  it('is complete at its last event, even if the server keeps the connection open', async () => {
    provider.script(streamOf(answerEvents([said('hi')]), { ending: 'stall' }));
    expect((await ask()).answer.message.content).toBe('hi');
  });

  it('that was cut short says why', async () => {
    const items = [said('So far')];
    const end = incomplete(items, 'max_output_tokens');
    provider.script(streamOf(answerEvents(items, end)));
    const { answer } = await ask();
    expect([answer.stopReason, answer.message.content]).toEqual(['length', 'So far']);
  });
});

describe('the request', () => {
  it('goes to /responses with key, headers and body', async () => {
    await ask();
    const [sent] = provider.requests;
    expect(sent).toMatchObject({ method: 'POST', path: '/v1/responses' });
    expect(sent?.headers).toMatchObject({
      authorization: `Bearer ${KEY}`,
      'content-type': 'application/json',
      'x-team': HEADER,
    });
    expect(sent?.body).toEqual({
      model: 'scripted',
      store: false,
      max_output_tokens: 50,
      temperature: 0,
      input: [{ type: 'message', role: 'user', content: 'Hello' }],
      tools: [
        {
          type: 'function',
          name: 'list_dir',
          description: 'Lists.',
          parameters: { type: 'object', properties: {} },
          strict: false,
        },
      ],
      stream: true,
    } satisfies OpenAI.Responses.ResponseCreateParams);
  });

  it('takes back the reasoning of an answer with its calls', async () => {
    provider.script(answerOf([reasoned('Hm.'), call({ name: 'list_dir', id: 'call_1' })]));
    const { answer } = await ask();
    const messages: ModelRequest['messages'] = [
      ...request.messages,
      answer.message,
      { role: 'tool', toolCallId: 'call_1', name: 'list_dir', content: 'a.txt', status: 'ok' },
    ];
    const next = model().call({ ...request, messages }, new AbortController().signal);
    for await (const event of next) expect(event).toBeDefined();
    expect(provider.requests[1]?.body['input']).toMatchObject([
      { role: 'user' },
      { type: 'reasoning', encrypted_content: 'c2VhbGVk' },
      { type: 'function_call', call_id: 'call_1' },
      { type: 'function_call_output', call_id: 'call_1', output: 'a.txt' },
    ]);
  });
});

describe('retries before the first event', () => {
  it.each<[string, Reply]>([
    ['429', failure(429, 'slow down')],
    ['500', failure(500, 'oops')],
    ['503', htmlPage(503)],
    ['a connection that is reset', reset],
    ['a stream that breaks off before any text', streamOf(beginning, { ending: 'reset' })],
    ['a stream that ends before any text', streamOf(beginning)],
  ])('heal %s', async (_what, fault) => {
    provider.script(fault, fault, text('ok then'));
    expect((await ask()).answer.message.content).toBe('ok then');
    expect(pauses).toEqual([500, 1000]);
  });

  it('follow Retry-After', async () => {
    provider.script(failure(429, 'slow down', { 'retry-after': '3' }), text('ok'));
    await ask();
    expect(pauses).toEqual([3000]);
  });

  it('end after two, with the provider’s words and status', async () => {
    provider.otherwise(failure(503, 'The engine is overloaded'));
    const error = await problem();
    expect(error.message).toBe('the provider answered with status 503: The engine is overloaded');
    expect(error.status).toBe(503);
    expect(provider.requests).toHaveLength(3);
  });

  it('are not made for what will not heal', async () => {
    provider.script(failure(400, 'Unknown parameter'));
    expect(await problem()).toMatchObject({ status: 400 });
    expect(provider.requests).toHaveLength(1);
  });
});

describe('failures', () => {
  it.each<[string, Reply, RegExp]>([
    ['an HTML page', htmlPage(404, 'Not here'), /status 404: Not here/],
    ['a page in place of an answer', htmlPage(200, 'Sign in'), /text\/html instead of.*Sign in/],
    ['a wrong content type', raw('hm', { contentType: 'text/plain' }), /text\/plain.*hm/],
    ['truncated JSON', truncated(), /not complete JSON/],
    ['half a stream', streamOf(hel), /broke off/],
    ['half a stream that claims its end', streamOf(hel, { ending: 'done' }), /broke off/],
    ['a connection that breaks in the stream', streamOf(hel, { ending: 'reset' }), /broke off/],
    ['an empty stream', nothing(), /answered with nothing/],
    ['an empty document', nothing('application/json'), /answered with nothing/],
    [
      'a response that fails in mid-stream',
      streamOf([...hel, failed('Overloaded')]),
      /^Overloaded$/,
    ],
    [
      'an error in mid-stream',
      streamOf([...hel, { type: 'error', code: 'x', message: 'Overloaded', param: null }]),
      /^Overloaded$/,
    ],
    ['a response that fails at once', streamOf([...beginning, failed('No')]), /^No$/],
    ['an error in the document', json({ error: { message: 'No credit' } }), /^No credit$/],
    [
      'a failed response in the document',
      json({ status: 'failed', output: [], error: { code: 'x', message: 'No' } }),
      /^No$/,
    ],
    ['an answer of the other protocol', json({ choices: [] }), /not a response/],
    ['a redirect', redirect('http://other.example/v1/x'), /redirects to other\.example/],
  ])('%s', async (_what, reply, sentence) => {
    provider.script(reply);
    expect((await problem()).message).toMatch(sentence);
    expect(provider.requests).toHaveLength(1);
    expect(pauses).toEqual([]);
  });

  it('after the first token are not retried', async () => {
    provider.script(streamOf(hel, { ending: 'reset', delayMs: 20 }), text('again'));
    const seen: ModelEvent[] = [];
    const play = async () => {
      for await (const event of model().call(request, new AbortController().signal)) {
        seen.push(event);
      }
    };
    await expect(play()).rejects.toBeInstanceOf(ModelError);
    expect(textOf(seen)).toBe('Hel');
    expect(provider.requests).toHaveLength(1);
  });

  it('a provider that does not answer', async () => {
    provider.script(stall);
    const error = await problem({ channel: { timeoutMs: 100 } });
    expect(error.message).toBe('the provider did not answer within 100 ms');
  });

  it('a provider that falls silent', async () => {
    provider.script(streamOf(hel, { ending: 'stall' }));
    const error = await problem({ channel: { timeoutMs: 100 } });
    expect(error.message).toMatch('silent for 100 ms');
  });

  it('cancelling in mid-stream ends the request and throws the reason', async () => {
    const reason = new Error('the user cancelled');
    provider.script(streamOf(hel, { ending: 'stall' }));
    const controller = new AbortController();
    const asked = ask({ signal: controller.signal });
    await provider.until(() => provider.requests.length === 1);
    await wait(20);
    controller.abort(reason);
    await expect(asked).rejects.toBe(reason);
    await provider.until(() => provider.abandoned === 1);
  });
});

describe('secrets', () => {
  const echo = `key ${KEY} and ${HEADER} and Bearer ${KEY}`;

  it.each<[string, Reply]>([
    ['an error', failure(401, echo)],
    ['a failed response', streamOf([...beginning, failed(echo)])],
    ['an error event', streamOf([{ type: 'error', message: echo }])],
    ['a strange document', json({ echo })],
  ])('never show in the error of %s', async (_what, reply) => {
    provider.script(reply);
    const error = await problem();
    const shown = `${error.message} ${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`;
    expect(shown).not.toContain('canary');
  });
});
