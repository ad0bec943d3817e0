import type Anthropic from '@anthropic-ai/sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  endEvents,
  errorEvent,
  events,
  failure,
  message,
  startEvent,
  text,
  textEvents,
  thoughts,
  truncatedMessage,
} from '../../../../test/scripted_anthropic.js';
import {
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
import { problemsOfAnthropicRequest } from '../../../../test/wire/anthropic_request.js';
import { parseAllowList } from '../../base/net/allow_list.js';
import { EgressClient } from '../../base/net/egress.js';
import { ModelError, type ModelEvent, type ModelRequest } from '../runtime/port.js';
import { anthropicMessages } from './anthropic_messages.js';
import { createHttpChatModel, type HttpChannel } from './http_channel.js';

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
});

const request: ModelRequest = {
  messages: [{ role: 'user', content: 'Hello' }],
  tools: [{ name: 'list_dir', description: 'Lists.', parameters: { type: 'object' } }],
  stream: true,
};

function model(changed: Partial<HttpChannel> = {}) {
  return createHttpChatModel(anthropicMessages, {
    baseUrl: `http://${provider.host}`,
    apiKey: KEY,
    headers: { 'X-Team': HEADER },
    timeoutMs: 2_000,
    options: { model: 'scripted', maxOutputTokens: 50, params: {} },
    acceptsImages: false,
    egress,
    retry: { clockwork: { random: () => 1, sleep: async (ms) => void pauses.push(ms) } },
    ...changed,
  });
}

interface Asked {
  stream?: boolean;
  channel?: Partial<HttpChannel>;
}

async function ask({ stream = true, channel }: Asked = {}) {
  const seen: ModelEvent[] = [];
  const call = model(channel).call({ ...request, stream }, new AbortController().signal);
  for await (const event of call) seen.push(event);
  const last = seen.at(-1);
  if (last?.type !== 'answer') throw new Error('the answer is not the last event');
  return { events: seen, answer: last.answer };
}

async function problem(asked: Asked = {}): Promise<ModelError> {
  const error: unknown = await ask(asked).then(
    () => new Error('it answered'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ModelError)) throw error;
  return error;
}

const textOf = (seen: readonly ModelEvent[]) =>
  seen.flatMap((event) => (event.type === 'text-delta' ? [event.text] : [])).join('');

describe('an answer', () => {
  it.each([true, false])('has text and usage (stream: %s)', async (stream) => {
    provider.script(text('one two three'));
    const { events: seen, answer } = await ask({ stream });
    expect(textOf(seen)).toBe(stream ? 'one two three' : '');
    expect(answer).toEqual({
      message: { role: 'assistant', content: 'one two three' },
      stopReason: 'stop',
      usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15 },
    });
  });

  it.each([true, false])('may think and call tools (stream: %s)', async (stream) => {
    provider.script(thoughts('Hm', { name: 'list_dir', arguments: '{"path":"."}', id: 'toolu_1' }));
    const { events: seen, answer } = await ask({ stream });
    expect(seen.slice(0, -1)).toEqual(stream ? [{ type: 'reasoning-delta', text: 'Hm' }] : []);
    expect(answer.message).toMatchObject({
      reasoning: 'Hm',
      sealedReasoning: { protocol: 'anthropic_messages', model: 'scripted' },
      toolCalls: [{ id: 'toolu_1', name: 'list_dir', arguments: '{"path":"."}' }],
    });
    expect(answer.stopReason).toBe('tool_calls');
  });

  it('is understood whichever way it comes', async () => {
    provider.script(
      json(message([{ type: 'text', text: 'whole' }], 'end_turn')),
      events([startEvent, ...textEvents(['streamed']), ...endEvents('end_turn')]),
    );
    expect((await ask({ stream: true })).answer.message.content).toBe('whole');
    expect((await ask({ stream: false })).answer.message.content).toBe('streamed');
  });

  it('is complete at message_stop, even if the server keeps the connection open', async () => {
    const all = [startEvent, ...textEvents(['hi']), ...endEvents('end_turn')];
    provider.script(events(all, { ending: 'stall' }));
    expect((await ask()).answer.message.content).toBe('hi');
  });

  it('is complete when the connection breaks behind its stop reason', async () => {
    const all = [startEvent, ...textEvents(['hi']), ...endEvents('end_turn').slice(0, 1)];
    provider.script(events(all, { ending: 'reset' }));
    expect((await ask()).answer.message.content).toBe('hi');
  });
});

describe('the request', () => {
  it('goes to /v1/messages with key, version, headers and body', async () => {
    await ask();
    const [sent] = provider.requests;
    expect(sent).toMatchObject({ method: 'POST', path: '/v1/messages' });
    expect(sent?.headers).toMatchObject({
      'x-api-key': KEY,
      'anthropic-version': '2023-06-01',
      'content-type': 'application/json',
      'x-team': HEADER,
    });
    expect(sent?.headers).not.toHaveProperty('authorization');
    expect(sent?.body).toEqual({
      model: 'scripted',
      max_tokens: 50,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
      tools: [
        {
          name: 'list_dir',
          description: 'Lists.',
          input_schema: { type: 'object', properties: {} },
        },
      ],
      stream: true,
    } satisfies Anthropic.MessageCreateParams);
    expect(problemsOfAnthropicRequest(sent?.body)).toEqual([]);
  });

  it.each([
    ['', '/v1/messages'],
    ['/', '/v1/messages'],
    ['/v1', '/v1/messages'],
    ['/v1/', '/v1/messages'],
    ['/anthropic', '/anthropic/v1/messages'],
    ['/anthropic/v1?key=1', '/anthropic/v1/messages?key=1'],
  ])('to the base URL %j goes to %j', async (base, path) => {
    await ask({ channel: { baseUrl: `http://${provider.host}${base}` } });
    expect(provider.requests[0]?.path).toBe(path);
  });

  it('needs no key, and may be of another version', async () => {
    const headers = { 'Anthropic-Version': '2030-01-01', 'anthropic-beta': 'x' };
    await ask({ channel: { apiKey: null, headers } });
    expect(provider.requests[0]?.headers).not.toHaveProperty('x-api-key');
    expect(provider.requests[0]?.headers).toMatchObject({
      'anthropic-version': '2030-01-01',
      'anthropic-beta': 'x',
    });
  });
});

describe('retries before the first event', () => {
  it.each<[string, Reply]>([
    ['429', failure(429, 'slow down')],
    ['500', failure(500, 'oops')],
    ['503', htmlPage(503)],
    ['529', failure(529, 'Overloaded')],
    ['a connection that is reset', reset],
    ['a stream that breaks off before any text', events([startEvent], { ending: 'reset' })],
    ['a stream that ends before any text', events([startEvent], { ending: 'end' })],
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
    provider.otherwise(failure(529, 'Overloaded'));
    const error = await problem();
    expect(error.message).toBe('the provider answered with status 529: Overloaded');
    expect(error.status).toBe(529);
    expect(provider.requests).toHaveLength(3);
  });

  it.each([400, 401, 403, 404, 413])('are not made for %i', async (status) => {
    provider.script(failure(status, 'messages: roles must alternate'));
    const error = await problem();
    expect(error.message).toMatch(`status ${status}: messages: roles must alternate`);
    expect(provider.requests).toHaveLength(1);
  });
});

describe('failures', () => {
  const begun = [startEvent, ...textEvents(['Hel']).slice(0, 2)];

  it.each<[string, Reply, RegExp]>([
    ['an HTML page', htmlPage(404, 'Not here'), /status 404: Not here/],
    ['a page in place of an answer', htmlPage(200, 'Sign in'), /text\/html instead of.*Sign in/],
    ['a wrong content type', raw('hm', { contentType: 'text/plain' }), /text\/plain.*hm/],
    ['truncated JSON', truncatedMessage(), /not complete JSON/],
    ['half a stream', events(begun, { ending: 'end' }), /broke off/],
    ['a connection that breaks in the stream', events(begun, { ending: 'reset' }), /broke off/],
    ['an empty stream', nothing(), /answered with nothing/],
    ['an empty document', nothing('application/json'), /answered with nothing/],
    ['an error in mid-stream', events([...begun, errorEvent('Overloaded')]), /^Overloaded$/],
    ['an error in the document', json(errorEvent('No credit')), /^No credit$/],
    ['JSON of another kind', json({ hello: 1 }), /not a message/],
    ['a redirect', redirect('http://other.example/v1/x'), /redirects to other\.example/],
  ])('%s', async (_what, reply, sentence) => {
    provider.script(reply);
    expect((await problem()).message).toMatch(sentence);
    expect(provider.requests).toHaveLength(1);
    expect(pauses).toEqual([]);
  });

  it('after the first token are not retried, and the text before them is delivered', async () => {
    provider.script(events(begun, { ending: 'reset', delayMs: 20 }), text('again'));
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
    provider.script(events(begun, { ending: 'stall' }));
    const error = await problem({ channel: { timeoutMs: 100 } });
    expect(error.message).toMatch('silent for 100 ms');
  });
});

it('cancelling in mid-stream ends the request and throws the reason', async () => {
  const reason = new Error('the user cancelled');
  provider.script(events([startEvent, ...textEvents(['Hel'])], { ending: 'stall' }));
  const controller = new AbortController();
  const seen: ModelEvent[] = [];
  const asked = async () => {
    for await (const event of model().call(request, controller.signal)) seen.push(event);
  };
  const ended = asked();
  await provider.until(() => seen.length === 1);
  controller.abort(reason);
  await expect(ended).rejects.toBe(reason);
  await provider.until(() => provider.abandoned === 1);
});

describe('secrets', () => {
  const echo = `key ${KEY} and ${HEADER} and ${encodeURIComponent(KEY)}`;

  it.each<[string, Reply]>([
    ['an error', failure(401, echo)],
    ['a stream', events([errorEvent(echo)])],
    ['nonsense in a stream', raw(`data: ${echo}\n\n`, { contentType: 'text/event-stream' })],
    ['a strange document', json({ echo })],
  ])('never show in the error of %s', async (_what, reply) => {
    provider.script(reply);
    const error = await problem();
    const shown = `${error.message} ${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`;
    expect(shown).not.toContain('canary');
  });
});
