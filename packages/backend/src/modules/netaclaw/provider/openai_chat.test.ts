import type OpenAI from 'openai';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  calls,
  chunk,
  completion,
  failure,
  htmlPage,
  json,
  nothing,
  raw,
  redirect,
  reset,
  stall,
  startScriptedProvider,
  stream,
  text,
  truncatedJson,
  usageChunk,
  type Reply,
  type ScriptedProvider,
} from '../../../../test/scripted_provider.js';
import { parseAllowList } from '../../base/net/allow_list.js';
import { EgressClient } from '../../base/net/egress.js';
import { ModelError, type ModelEvent, type ModelRequest } from '../runtime/port.js';
import { createHttpChatModel, type HttpChannel } from './http_channel.js';
import { openAiChat } from './openai_chat.js';

const KEY = 'canary-key-7f3a-do-not-show';
const HEADER = 'canary-header-91c2';

let provider: ScriptedProvider;
let egress: EgressClient;
let pauses: number[];

beforeEach(async () => {
  provider = await startScriptedProvider();
  egress = new EgressClient({ allow: parseAllowList(provider.host) });
  pauses = [];
});

afterEach(async () => {
  await egress.close();
  await provider.close();
});

const request: ModelRequest = {
  messages: [{ role: 'user', content: 'Hello' }],
  tools: [{ name: 'list_dir', description: 'Lists.', parameters: { type: 'object' } }],
  stream: true,
};

function model(changed: Partial<HttpChannel> = {}) {
  return createHttpChatModel(openAiChat, {
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

describe('an answer', () => {
  it('is streamed: deltas, then the whole with its usage', async () => {
    provider.script(text('one two three'));
    const { events, answer } = await ask();
    expect(textOf(events)).toBe('one two three');
    expect(answer).toEqual({
      message: { role: 'assistant', content: 'one two three' },
      stopReason: 'stop',
      usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15 },
    });
  });

  it('arrives whole when many at full speed share the event loop', async () => {
    const words = Array.from({ length: 500 }, (_, word) => `w${word}`).join(' ');
    const streams = Array.from({ length: 20 }, () => text(words));
    provider.script(...streams);
    const answers = await Promise.all(streams.map(() => ask({ channel: { timeoutMs: 20_000 } })));
    expect(answers.filter(({ answer }) => answer.message.content !== words)).toEqual([]);
    expect(answers.filter(({ events }) => textOf(events) !== words)).toEqual([]);
  });

  it('comes whole, without deltas', async () => {
    provider.script(text('one two three'));
    const { events, answer } = await ask({ stream: false });
    expect(events).toHaveLength(1);
    expect(answer.message.content).toBe('one two three');
  });

  it.each([true, false])('may call tools (stream: %s)', async (stream) => {
    provider.script(calls({ name: 'list_dir', arguments: '{"path":"."}', id: 'call_1' }));
    const { answer } = await ask({ stream });
    expect(answer.message.toolCalls).toEqual([
      { id: 'call_1', name: 'list_dir', arguments: '{"path":"."}' },
    ]);
    expect(answer.stopReason).toBe('tool_calls');
  });

  it('without text and calls is returned as it is', async () => {
    provider.script(stream([chunk({ role: 'assistant' }), chunk({}, 'stop')]));
    expect((await ask()).answer.message).toEqual({ role: 'assistant', content: '' });
  });

  it('has one delta for the many events of one network chunk', async () => {
    const deltas = ['a', 'b', 'c', 'd'].map((content) => chunk({ content }));
    provider.script(stream([...deltas, chunk({}, 'stop'), usageChunk], { oneWrite: true }));
    const { events } = await ask();
    expect(events.map((event) => event.type)).toEqual(['text-delta', 'answer']);
    expect(textOf(events)).toBe('abcd');
  });

  it('keeps the order of reasoning and text', async () => {
    const deltas = [{ reasoning_content: 'hm' }, { content: 'yes' }, { reasoning_content: 'so' }];
    const chunks = deltas.map((delta) => chunk(delta));
    provider.script(stream([...chunks, chunk({}, 'stop')], { oneWrite: true }));
    const { events } = await ask();
    expect(events.slice(0, 3)).toEqual([
      { type: 'reasoning-delta', text: 'hm' },
      { type: 'text-delta', text: 'yes' },
      { type: 'reasoning-delta', text: 'so' },
    ]);
  });

  it('may hold characters that are split between network chunks', async () => {
    const bytes = Buffer.from(
      `data: ${JSON.stringify(chunk({ content: '日本 🦀' }))}\n\ndata: [DONE]\n\n`,
    );
    const split = bytes.indexOf(Buffer.from('🦀')) + 2;
    provider.script(async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(bytes.subarray(0, split));
      await wait(20);
      response.end(bytes.subarray(split));
    });
    expect((await ask()).answer.message.content).toBe('日本 🦀');
  });

  it('is understood whichever way it comes', async () => {
    provider.script(
      json(completion({ content: 'whole' }, 'stop')),
      stream([chunk({ content: 'streamed' }), chunk({}, 'stop')]),
    );
    expect((await ask({ stream: true })).answer.message.content).toBe('whole');
    const whole = await ask({ stream: false });
    expect(whole.answer.message.content).toBe('streamed');
    expect(whole.events).toHaveLength(1);
  });

  it('is complete at [DONE], even if the server keeps the connection open', async () => {
    const events = [chunk({ content: 'hi' }), '[DONE]'].map(
      (value) => `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`,
    );
    provider.script((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(events.join(''));
    });
    expect((await ask()).answer.message.content).toBe('hi');
  });
});

describe('the request', () => {
  it('goes to /chat/completions with key, headers and body', async () => {
    await ask();
    const [sent] = provider.requests;
    expect(sent).toMatchObject({ method: 'POST', path: '/v1/chat/completions' });
    expect(sent?.headers).toMatchObject({
      authorization: `Bearer ${KEY}`,
      'content-type': 'application/json',
      'x-team': HEADER,
    });
    expect(sent?.body).toEqual({
      model: 'scripted',
      max_tokens: 50,
      temperature: 0,
      messages: [{ role: 'user', content: 'Hello' }],
      tools: [
        {
          type: 'function',
          function: {
            name: 'list_dir',
            description: 'Lists.',
            parameters: { type: 'object', properties: {} },
          },
        },
      ],
      stream: true,
      stream_options: { include_usage: true },
    } satisfies OpenAI.Chat.Completions.ChatCompletionCreateParams);
  });

  it('keeps the query of the base URL and needs no key', async () => {
    await ask({ channel: { baseUrl: `${provider.baseUrl}/?api-version=3`, apiKey: null } });
    expect(provider.requests[0]?.path).toBe('/v1/chat/completions?api-version=3');
    expect(provider.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  it('reuses connections', async () => {
    for (let count = 0; count < 4; count++) {
      await ask();
      await wait(10);
    }
    expect(provider.connections).toBe(1);
  });
});

describe('retries before the first event', () => {
  it.each<[string, Reply]>([
    ['429', failure(429, 'slow down')],
    ['500', failure(500, 'oops')],
    ['503', htmlPage(503)],
    ['a connection that is reset', reset],
    [
      'a stream that breaks off before any text',
      stream([chunk({ role: 'assistant' })], { ending: 'reset' }),
    ],
    [
      'a stream that ends before any text',
      stream([chunk({ role: 'assistant' })], { ending: 'end' }),
    ],
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

  it('do not wait for longer than a provider should ask', async () => {
    provider.script(failure(429, 'come back tomorrow', { 'retry-after': '86400' }));
    expect((await problem()).message).toMatch('come back tomorrow');
    expect(pauses).toEqual([]);
  });

  it('end after two, with the provider’s words and status', async () => {
    provider.otherwise(failure(503, 'The engine is overloaded'));
    const error = await problem();
    expect(error.message).toBe('the provider answered with status 503: The engine is overloaded');
    expect(error.status).toBe(503);
    expect(provider.requests).toHaveLength(3);
  });

  it('are not made for what will not heal', async () => {
    provider.script(failure(401, 'Incorrect API key provided'));
    expect(await problem()).toMatchObject({ status: 401 });
    expect(provider.requests).toHaveLength(1);
  });

  it('end at once when the call is cancelled', async () => {
    provider.otherwise(failure(500, 'oops'));
    const controller = new AbortController();
    const channel = { retry: {} };
    const asked = ask({ signal: controller.signal, channel });
    await provider.until(() => provider.requests.length === 1);
    await wait(20);
    controller.abort(new Error('cancelled'));
    await expect(asked).rejects.toThrow('cancelled');
    expect(provider.requests).toHaveLength(1);
  });

  it('cover a refused connection', async () => {
    await provider.close();
    expect((await problem()).message).toMatch('refused the connection');
    expect(pauses).toHaveLength(2);
    provider = await startScriptedProvider();
  });
});

describe('failures', () => {
  const text1 = chunk({ content: 'Hel' });

  it.each<[string, Reply, RegExp]>([
    ['an HTML page', htmlPage(404, 'Not here'), /status 404: Not here/],
    ['a page in place of an answer', htmlPage(200, 'Sign in'), /text\/html instead of.*Sign in/],
    ['a wrong content type', raw('hm', { contentType: 'text/plain' }), /text\/plain.*hm/],
    ['truncated JSON', truncatedJson(), /not complete JSON/],
    ['half a stream', stream([text1], { ending: 'end' }), /broke off/],
    ['a connection that breaks in the stream', stream([text1], { ending: 'reset' }), /broke off/],
    ['an empty stream', nothing(), /answered with nothing/],
    ['an empty page', nothing('text/html'), /answered with nothing/],
    ['an empty document', nothing('application/json'), /answered with nothing/],
    ['no body and no type', raw(''), /answered with nothing/],
    ['a stream of nothing but [DONE]', stream([]), /answered with nothing/],
    [
      'an error in the stream',
      stream([text1, { error: { message: 'Overloaded' } }]),
      /^Overloaded$/,
    ],
    ['an error in the document', json({ error: { message: 'No credit' } }), /^No credit$/],
    ['JSON of another kind', json({ hello: 1 }), /not a chat completion/],
    ['an error without words', raw('', { status: 418 }), /status 418$/],
    ['a redirect', redirect('http://other.example/v1/x'), /redirects to other\.example/],
  ])('%s', async (_what, reply, sentence) => {
    provider.script(reply);
    expect((await problem()).message).toMatch(sentence);
    expect(provider.requests).toHaveLength(1);
    expect(pauses).toEqual([]);
  });

  it('after the first token are not retried, and the text before them is delivered', async () => {
    provider.script(stream([text1], { ending: 'reset', delayMs: 20 }), text('again'));
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
    await provider.until(() => provider.abandoned === 1);
  });

  it('a stream that breaks off in a call is not asked for again', async () => {
    const begun = chunk({ tool_calls: [{ index: 0, id: 'c', function: { name: 'list_dir' } }] });
    provider.script(stream([begun], { ending: 'reset', delayMs: 20 }), text('never asked'));
    const error = await problem();
    expect(error).toMatchObject({ hasBegun: true, message: expect.stringMatching(/broke off/) });
    expect(provider.requests).toHaveLength(1);
  });

  it('a line without end costs little', async () => {
    const endless: Reply = async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (let sent = 0; sent < 100 && !response.destroyed; sent += 1) {
        response.write('data: '.padEnd(100_000, 'a'));
        await wait(1);
      }
      response.end();
    };
    provider.script(endless);
    const error = await problem();
    expect(error.message).toBe('a line of the stream is longer than 4 MiB');
    await provider.until(() => provider.abandoned === 1);
  });

  it('a provider that sends nothing but signs of life', async () => {
    const alive: Reply = async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      while (!response.destroyed) {
        response.write(': processing\n\nevent: ping\ndata: {"type":"ping"}\n\n');
        await wait(10);
      }
    };
    provider.script(alive);
    const error = await problem({ channel: { timeoutMs: 100 } });
    expect(error.message).toBe('the provider sent nothing but signs of life for 100 ms');
    await provider.until(() => provider.abandoned === 1);
  });

  it('a slow stream that does go on is no such thing', async () => {
    provider.script(text('one two three four five', { delayMs: 60 }));
    const { answer } = await ask({ channel: { timeoutMs: 150 } });
    expect(answer.message.content).toBe('one two three four five');
  });

  it('a provider that falls silent', async () => {
    provider.script(stream([text1], { ending: 'stall' }));
    const error = await problem({ channel: { timeoutMs: 100 } });
    expect(error.message).toMatch('silent for 100 ms');
  });

  it('an answer without end', async () => {
    const big = 'x'.repeat(1024 * 1024);
    provider.script(stream(Array.from({ length: 40 }, () => chunk({ content: big }))));
    expect((await problem()).message).toMatch('larger than 32 MiB');
  });

  it('an address that may not be reached', async () => {
    await egress.close();
    egress = new EgressClient({ allow: [] });
    expect((await problem()).message).toMatch(/127\.0\.0\.1.*EGRESS_ALLOW/);
    expect(pauses).toEqual([]);
  });

  it('a channel whose address is none', () => {
    expect(() => model({ baseUrl: 'file:///etc' })).toThrow(ModelError);
  });
});

describe('cancelling', () => {
  const reason = new Error('the user cancelled');

  it.each<[string, Reply]>([
    ['before the first byte', stall],
    ['in mid-stream', stream([chunk({ content: 'Hel' })], { ending: 'stall' })],
  ])('%s ends the request and throws the reason', async (_when, reply) => {
    provider.script(reply);
    const controller = new AbortController();
    const asked = ask({ signal: controller.signal });
    await provider.until(() => provider.requests.length === 1);
    await wait(20);
    controller.abort(reason);
    await expect(asked).rejects.toBe(reason);
    await provider.until(() => provider.abandoned === 1);
  });

  it('before the call sends nothing', async () => {
    await expect(ask({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(provider.requests).toHaveLength(0);
  });

  it('by leaving the iteration ends the request', async () => {
    provider.script(stream([chunk({ content: 'Hel' })], { ending: 'stall' }));
    for await (const event of model().call(request, new AbortController().signal)) {
      expect(event).toEqual({ type: 'text-delta', text: 'Hel' });
      break;
    }
    await provider.until(() => provider.abandoned === 1);
  });
});

describe('secrets', () => {
  const echo = `key ${KEY} and ${HEADER} and Bearer ${KEY} and ${encodeURIComponent(KEY)}`;

  it.each<[string, Reply]>([
    ['an error', failure(401, echo)],
    ['a page', raw(`<p>${echo}</p>`, { status: 400, contentType: 'text/html' })],
    ['a long page that is cut', raw(`${'x'.repeat(490)}${echo}`, { status: 400 })],
    ['a wrong content type', raw(echo, { contentType: 'text/plain' })],
    ['a stream', stream([{ error: { message: echo } }])],
    ['nonsense in a stream', raw(`data: ${echo}\n\n`, { contentType: 'text/event-stream' })],
    ['a strange document', json({ echo })],
    ['a redirect', redirect(`http://${KEY}.example/`)],
  ])('never show in the error of %s', async (_what, reply) => {
    provider.script(reply);
    const error = await problem();
    const shown = `${error.message} ${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`;
    expect(shown).not.toContain(KEY);
    expect(shown).not.toContain(HEADER);
    expect(shown).not.toContain('canary');
  });

  it('never show when the key cannot be sent at all', async () => {
    const error = await problem({ channel: { apiKey: `${KEY}\n` } });
    expect(`${error.message} ${error.stack} ${String(error.cause)}`).not.toContain(KEY);
  });
});
