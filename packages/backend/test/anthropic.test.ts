import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Json, TestClient } from './client.js';
import { streamChat, typesOf } from './event_stream.js';
import { chat, makeAgent, makeChannel, startScenario, type Scenario } from './scenario.js';
import { calls, failure, text, thoughts } from './scripted_anthropic.js';
import * as openai from './scripted_provider.js';
import { problemsOfAnthropicRequest } from './wire/anthropic_request.js';

const KEY = 'sk-ant-canary-2f6d-never-shown';

let scenario: Scenario;
let admin: TestClient;
let provider: openai.ScriptedProvider;
let channel: Json;
let agent: Json;
let asked = 0;

beforeAll(async () => {
  scenario = await startScenario();
  ({ admin } = scenario);
  provider = await openai.startScriptedProvider();
  provider.otherwise(text('ok'));
  channel = await makeChannel(admin, {
    protocol: 'anthropic_messages',
    baseUrl: `http://${provider.host}`,
    apiKey: KEY,
  });
  agent = await makeAgent({ admin, channel }, { runtime: 'local', toolsets: ['base', 'planning'] });
});
afterAll(async () => {
  await provider?.close();
  await scenario?.end();
});
beforeEach(() => {
  asked = provider.requests.length;
});

/** The bodies of this test's requests; it fails when one is not valid. */
function sentBodies(): Json[] {
  const bodies = provider.requests.slice(asked).map(({ body }): Json => body);
  expect(bodies.flatMap((body) => problemsOfAnthropicRequest(body))).toEqual([]);
  return bodies;
}

const write = (path: string, id: string) => {
  const args = JSON.stringify({ path, content: path });
  return { name: 'write_file', arguments: args, id };
};
const used = ({ id, name, arguments: args }: ReturnType<typeof write>) => ({
  type: 'tool_use',
  id,
  name,
  input: JSON.parse(args),
});

describe('a turn that is answered whole', () => {
  it('calls tools in parallel and answers', async () => {
    const [first, second] = [write('a.txt', 'toolu_1'), write('b.txt', 'toolu_2')];
    provider.script(calls(first, second), text('Written.'));
    const answer = await chat(admin, { agent: agent.name, message: 'Write both.' });
    expect(answer).toMatchObject({
      status: 'completed',
      reply: 'Written.',
      toolCalls: [
        { ...first, status: 'ok' },
        { ...second, status: 'ok' },
      ],
      usage: { inputTokens: 20, outputTokens: 10, totalTokens: 30 },
    });
    const [begun, finished] = sentBodies();
    expect(provider.requests.at(-1)).toMatchObject({
      path: '/v1/messages',
      headers: { 'x-api-key': KEY, 'anthropic-version': '2023-06-01' },
    });
    expect(begun.system).toEqual([{ type: 'text', text: expect.stringContaining('UTC') }]);
    expect(begun.tools.map(({ name }: Json) => name)).toContain('write_file');
    expect(finished.tools).toEqual(begun.tools);
    expect(finished.messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Write both.' }] },
      { role: 'assistant', content: [used(first), used(second)] },
      {
        role: 'user',
        content: ['toolu_1', 'toolu_2'].map((tool_use_id) => ({
          type: 'tool_result',
          tool_use_id,
          content: expect.any(String),
        })),
      },
    ]);
  });

  it('lives through a call that does not parse and one of an unknown tool', async () => {
    const broken = { name: 'write_file', arguments: '{"path": "a', id: 'toolu_1' };
    provider.script(calls(broken, { name: 'no_such_tool' }), text('Sorry.'));
    const { status, toolCalls, sessionId } = await chat(admin, { agent: agent.name });
    expect(status).toBe('completed');
    expect(toolCalls.map((call: Json) => call.status)).toEqual(['error', 'refused']);
    expect((await chat(admin, { agent: agent.name, sessionId })).status).toBe('completed');
    const results = sentBodies().at(-1).messages[2].content;
    expect(results.map((block: Json) => block.is_error)).toEqual([true, true]);
  });

  it('gets its last call without tools, in a form the provider takes', async () => {
    const limited = await makeAgent(
      { admin, channel },
      { toolsets: ['planning'], limits: { maxToolIterations: 1 } },
    );
    const items = JSON.stringify({ items: [{ content: 'a', status: 'pending' }] });
    provider.script(calls({ name: 'todo', arguments: items }), text('That is all.'));
    const answer = await chat(admin, { agent: limited.name });
    expect([answer.status, answer.reply]).toEqual(['limit', 'That is all.']);
    const last = sentBodies().at(-1);
    expect(last.tools).toEqual([{ name: 'todo', input_schema: { type: 'object' } }]);
    expect(last.tool_choice).toEqual({ type: 'none' });
    expect(last.messages.at(-1).content).toMatchObject([
      { type: 'tool_result' },
      { type: 'text', text: expect.stringContaining('tool budget of this turn is spent') },
    ]);
  });

  it('fails with the provider’s words, without the key', async () => {
    provider.script(failure(400, `max_tokens is too large for ${KEY}`));
    const answer = await chat(admin, { agent: agent.name });
    expect([answer.status, answer.error]).toEqual([
      'failed',
      expect.stringMatching(/400: max_tokens is too large/),
    ]);
    expect(JSON.stringify(answer)).not.toContain(KEY);
  });
});

describe('a streamed turn', () => {
  it('streams reasoning, calls, results and text, and sends sealed reasoning back', async () => {
    const first = write('c.txt', 'toolu_1');
    provider.script(thoughts('I had better write.', first), text('All is written.'));
    const events = await streamChat(admin, { agent: agent.name, message: 'Write C.' });
    expect(new Set(typesOf(events))).toEqual(
      new Set([
        'run-start',
        'reasoning-delta',
        'usage',
        'tool-call',
        'tool-result',
        'text-delta',
        'message',
        'run-end',
      ]),
    );
    expect(events.at(-1)?.data).toMatchObject({ status: 'completed' });
    const streamed = events.flatMap(({ event, data }) => (event === 'text-delta' ? data.text : []));
    expect(streamed.join('')).toBe('All is written.');
    const bodies = sentBodies();
    expect(bodies.map(({ stream }) => stream)).toEqual([true, true]);
    expect(bodies[1].messages[1].content).toEqual([
      {
        type: 'thinking',
        thinking: 'I had better write.',
        signature: Buffer.from('I had better write.').toString('base64'),
      },
      used(first),
    ]);
    const { sessionId } = events[0]?.data ?? {};
    const stored = await admin.get(`/api/netaclaw/sessions/${sessionId}/messages`);
    expect(stored.text).toContain('I had better write.');
    expect(stored.text).not.toContain('signature');
    await chat(admin, { agent: agent.name, sessionId, message: 'And now?' });
    expect(sentBodies().at(-1).messages[1]).toEqual(bodies[1].messages[1]);
  });
});

describe('a session that comes from another protocol', () => {
  it('goes on with its calls, in ids that are legal here', async () => {
    const wandering = await makeAgent(scenario, { toolsets: ['planning'], runtime: 'local' });
    const items = JSON.stringify({ items: [{ content: 'a', status: 'pending' }] });
    const foreign = { name: 'todo', arguments: items, id: 'functions.todo:0' };
    scenario.provider.script(openai.calls(foreign), openai.text('Noted.'));
    const { sessionId } = await chat(admin, { agent: wandering.name });
    const { id, version } = wandering;
    await admin.ask('/admin/netaclaw/agent/update', { id, version, channelId: channel.id });
    provider.script(thoughts('Hm', { ...foreign, id: 'toolu_9' }), text('Noted again.'));
    const answer = await chat(admin, { agent: wandering.name, sessionId, message: 'Again.' });
    expect(answer.status).toBe('completed');
    const [begun] = sentBodies();
    expect(begun.messages[1].content[0]).toMatchObject({ id: 'functions_todo_0' });
    expect(begun.messages[2].content[0]).toMatchObject({ tool_use_id: 'functions_todo_0' });
    const changed = await admin.get(`/admin/netaclaw/agent/info?id=${id}`);
    await admin.ask('/admin/netaclaw/agent/update', {
      id,
      version: changed.data.version,
      channelId: scenario.channel.id,
    });
    const back = await chat(admin, { agent: wandering.name, sessionId, message: 'And back.' });
    expect(back.status).toBe('completed');
    expect(scenario.provider.requests.at(-1)?.text).not.toContain('signature');
  });
});

describe('the test of a channel', () => {
  it('makes one small call', async () => {
    provider.script(text('pong'));
    const result = await admin.ask('/admin/netaclaw/channel/test', { id: channel.id });
    expect(result).toMatchObject({ ok: true, reply: 'pong', error: null });
    expect(sentBodies()).toHaveLength(1);
  });

  it('reports the provider’s error', async () => {
    provider.script(failure(401, 'invalid x-api-key'));
    const result = await admin.ask('/admin/netaclaw/channel/test', { id: channel.id });
    expect(result).toMatchObject({
      ok: false,
      error: 'the provider answered with status 401: invalid x-api-key',
    });
  });
});

it('an image for a vision model goes as data', async () => {
  const pixel =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const form = new FormData();
  form.append('file', new Blob([Buffer.from(pixel, 'base64')], { type: 'image/png' }), 'dot.png');
  const response = await fetch(`${admin.url}/api/netaclaw/files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin.token}` },
    body: form,
  });
  const { data }: Json = await response.json();
  const seeing = await makeAgent({ admin, channel }, { capability: 'vision' });
  const message = [
    { type: 'text', text: 'What is it?' },
    { type: 'image', fileId: data.fileId },
  ];
  await chat(admin, { agent: seeing.name, message });
  expect(sentBodies()[0].messages[0].content).toEqual([
    { type: 'text', text: 'What is it?' },
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: pixel } },
  ]);
});
