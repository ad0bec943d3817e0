import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json, TestClient } from './client.js';
import { streamChat, typesOf } from './event_stream.js';
import { chat, makeAgent, makeChannel, startScenario, type Scenario } from './scenario.js';
import { failure } from './scripted_provider.js';
import {
  answer,
  answerEvents,
  call,
  calls,
  events,
  failed,
  reasoned,
  said,
  text,
  textDelta,
} from './scripted_responses.js';
import { problemsOfChatRequest } from './wire/chat_request.js';
import { problemsOfResponsesRequest } from './wire/responses_request.js';

// The protocol `openai_responses`, through the whole application.

let scenario: Scenario;
let admin: TestClient;
let provider: Scenario['provider'];
let channel: Json;
let agent: Json;

beforeAll(async () => {
  scenario = await startScenario();
  ({ admin, provider } = scenario);
  provider.otherwise(text('ok'));
  channel = await makeChannel(admin, {
    protocol: 'openai_responses',
    baseUrl: provider.baseUrl,
    params: { reasoningEffort: 'low' },
  });
  agent = await makeAgent({ admin, channel }, { runtime: 'local', toolsets: ['base', 'planning'] });
});
afterAll(() => scenario?.end());

function input(): Json[] {
  const body: Json = provider.requests.at(-1)?.body;
  return body.input;
}

const kinds = (): string[] => input().map(({ type, role }) => (type === 'message' ? role : type));

const write = { name: 'write_file', arguments: '{"path":"a.txt","content":"A"}', id: 'call_w' };
const list = { name: 'list_dir', id: 'call_l' };

describe('a turn with tools', () => {
  it('is answered whole, and its session goes on', async () => {
    provider.script(
      answer([reasoned('I had better write it.'), said('Wait.'), call(write), call(list)]),
      text('Written.'),
    );
    const first = await chat(admin, { agent: agent.name, message: 'Write A.' });
    expect(first).toMatchObject({
      status: 'completed',
      reply: 'Written.',
      toolCalls: [
        { id: 'call_w', name: 'write_file', status: 'ok' },
        { id: 'call_l', name: 'list_dir', status: 'ok' },
      ],
      usage: { inputTokens: 20, outputTokens: 10, totalTokens: 30 },
    });
    expect(kinds()).toEqual([
      'user',
      'reasoning',
      'assistant',
      'function_call',
      'function_call',
      'function_call_output',
      'function_call_output',
    ]);
    expect(input().at(-1).output).toContain('a.txt');
    provider.script(text('It was A.'));
    const { sessionId } = first;
    const second = await chat(admin, { agent: agent.name, sessionId, message: 'What was it?' });
    expect([second.status, second.reply]).toEqual(['completed', 'It was A.']);
    expect(kinds().slice(-2)).toEqual(['assistant', 'user']);
    expect(input()).toContainEqual(expect.objectContaining({ encrypted_content: 'c2VhbGVk' }));
    const { data } = await admin.get(`/api/netaclaw/sessions/${sessionId}/messages`);
    expect(JSON.stringify(data)).not.toContain('c2VhbGVk');
  });

  it('has its prompt as instructions and its tools flat', async () => {
    await chat(admin, { agent: agent.name });
    const body: Json = provider.requests.at(-1)?.body;
    const { instructions, tools, store } = body;
    expect(instructions).toContain('NetaClaw');
    expect(tools.map(({ name }: Json) => name)).toEqual(
      expect.arrayContaining(['write_file', 'list_dir']),
    );
    expect(store).toBe(false);
  });

  it('is streamed', async () => {
    provider.script(
      answer([reasoned('Let me look.'), call({ ...list, id: 'call_s' })]),
      text('one two three'),
    );
    const seen = await streamChat(admin, { agent: agent.name });
    const types = typesOf(seen).filter((type, index, all) => type !== all[index - 1]);
    expect(types).toEqual([
      'run-start',
      'reasoning-delta',
      'usage',
      'tool-call',
      'tool-result',
      'text-delta',
      'usage',
      'message',
      'run-end',
    ]);
    const words = seen.flatMap(({ event, data }) => (event === 'text-delta' ? [data.text] : []));
    expect(words.join('')).toBe('one two three');
    expect(seen.at(-1)?.data.status).toBe('completed');
  });

  it('survives arguments that do not parse, and a tool nobody knows', async () => {
    provider.script(
      calls({ name: 'write_file', arguments: '{"path": "a' }, { name: 'no_such_tool' }),
      text('Sorry.'),
    );
    const run = await chat(admin, { agent: agent.name });
    expect(run.toolCalls.map(({ status }: Json) => status)).toEqual(['error', 'refused']);
    expect(run.reply).toBe('Sorry.');
  });

  it('that fails in mid-stream ends in the provider’s words, and its session goes on', async () => {
    provider.script(
      events([...answerEvents([]).slice(0, 2), textDelta('Hel'), failed('Overloaded')]),
    );
    const seen = await streamChat(admin, { agent: agent.name });
    expect(seen.at(-1)?.data).toMatchObject({ status: 'failed', error: 'Overloaded' });
    const sessionId: string = seen[0]?.data.sessionId;
    const next = await chat(admin, { agent: agent.name, sessionId });
    expect([next.status, next.reply]).toEqual(['completed', 'ok']);
    expect(kinds()).toEqual(['user', 'assistant', 'user']);
  });
});

it('falls back to a channel of another protocol in the middle of a session', async () => {
  const behind = scenario.channel;
  const front = await makeChannel(admin, {
    protocol: 'openai_responses',
    baseUrl: provider.baseUrl,
    model: 'front',
    fallbackChannelId: behind.id,
  });
  const safe = await makeAgent({ admin, channel: front }, { toolsets: ['planning'] });
  const before = provider.requests.length;
  const plan = { name: 'todo', arguments: '{"items":[]}', id: 'call_x' };
  provider.script(answer([reasoned('Hm.'), call(plan)]), failure(400, 'not today'), (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const message = { role: 'assistant', content: 'From behind.' };
    response.end(JSON.stringify({ choices: [{ message, finish_reason: 'stop' }] }));
  });
  const run = await chat(admin, { agent: safe.name });
  expect([run.status, run.reply]).toEqual(['completed', 'From behind.']);
  const last = provider.requests.at(-1);
  expect(last?.path).toBe('/v1/chat/completions');
  expect(last?.body.messages?.map(({ role }) => role)).toEqual([
    'system',
    'user',
    'assistant',
    'tool',
  ]);
  expect(last?.text).not.toContain('c2VhbGVk');
  expect(provider.requests.length - before).toBe(3);
});

it('has a channel test', async () => {
  provider.script(text('pong'), failure(401, 'Incorrect API key provided'));
  const { id } = channel;
  expect(await admin.ask('/admin/netaclaw/channel/test', { id })).toEqual({
    ok: true,
    latencyMs: expect.any(Number),
    reply: 'pong',
    error: null,
  });
  expect(await admin.ask('/admin/netaclaw/channel/test', { id })).toMatchObject({
    ok: false,
    reply: null,
    error: expect.stringContaining('Incorrect API key provided'),
  });
});

it('has sent nothing that its protocols would refuse', () => {
  const problems = provider.requests.map(({ path, body }) =>
    path.endsWith('/responses') ? problemsOfResponsesRequest(body) : problemsOfChatRequest(body),
  );
  expect(problems.length).toBeGreaterThan(10);
  expect(problems.flat()).toEqual([]);
});
