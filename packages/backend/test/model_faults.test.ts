import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { configureLogger } from '../src/modules/base/log/logger.js';
import type { Answer, Json, TestClient } from './client.js';
import { streamChat, typesOf } from './event_stream.js';
import { addPerson } from './people.js';
import { auditOf, chat, makeAgent, makeChannel, startScenario, type Scenario } from './scenario.js';
import {
  calls,
  chunk,
  failure,
  htmlPage,
  json,
  nothing,
  raw,
  redirect,
  reset,
  startScriptedProvider,
  stream,
  text,
  truncatedJson,
  type Reply,
  type ScriptedProvider,
} from './scripted_provider.js';

const CHANNEL = '/admin/netaclaw/channel';
/** What must not be seen anywhere but in requests to the model. */
const KEY = 'sk-canary-5b1e07f4-never-shown';
const HEADER = 'canary-header-value-93ab';

let scenario: Scenario;
let admin: TestClient;
let provider: ScriptedProvider;
let channel: Json;
let agent: Json;
let logged = '';

beforeAll(async () => {
  scenario = await startScenario();
  ({ admin } = scenario);
  const write = process.stdout.write.bind(process.stdout);
  vi.spyOn(process.stdout, 'write').mockImplementation((chunk: string | Uint8Array) => {
    logged += String(chunk);
    return write('');
  });
  configureLogger('trace');
  provider = await startScriptedProvider();
  channel = await makeChannel(admin, {
    name: 'faulty',
    baseUrl: provider.baseUrl,
    apiKey: KEY,
    headers: { 'X-Team': HEADER },
  });
  agent = await makeAgent({ admin, channel }, { toolsets: ['planning'] });
});
afterAll(async () => {
  vi.restoreAllMocks();
  await provider?.close();
  await scenario?.end();
});

const noSecret = (...values: unknown[]): void => {
  const everything = JSON.stringify(values);
  expect(everything).not.toContain(KEY);
  expect(everything).not.toContain(HEADER);
};

/** A fault, how often it has to be met before the turn fails, and the words its error must have. */
interface Fault {
  name: string;
  reply: Reply;
  times: number;
  words: RegExp;
}

const echo = `the key ${KEY} and the header ${HEADER} are wrong`;
const faults: Fault[] = [
  {
    name: 'a page instead of JSON',
    reply: htmlPage(200, 'Welcome'),
    times: 1,
    words: /text\/html.*Welcome/,
  },
  { name: 'a page with status 502', reply: htmlPage(502), times: 3, words: /502.*Bad Gateway/ },
  { name: 'JSON of another kind', reply: json({ hello: 'world' }), times: 1, words: /\w{4}/ },
  { name: 'JSON that is no object', reply: json([1, 2]), times: 1, words: /\w{4}/ },
  { name: 'half a document', reply: truncatedJson(), times: 1, words: /\w{4}/ },
  {
    name: 'status 500',
    reply: failure(500, 'the model is on fire'),
    times: 3,
    words: /500.*the model is on fire/,
  },
  {
    name: 'status 400',
    reply: failure(400, 'max_tokens is too large'),
    times: 1,
    words: /400.*max_tokens is too large/,
  },
  {
    name: 'status 401 that repeats the key',
    reply: failure(401, echo),
    times: 1,
    words: /401.*are wrong/,
  },
  {
    name: 'status 429 without end',
    reply: failure(429, 'slow down', { 'retry-after': '0' }),
    times: 3,
    words: /429.*slow down/,
  },
  { name: 'nothing at all', reply: nothing(), times: 1, words: /nothing|without/ },
  {
    name: 'nothing with a JSON type',
    reply: nothing('application/json'),
    times: 1,
    words: /\w{4}/,
  },
  { name: 'a connection that breaks', reply: reset, times: 3, words: /broke/ },
  {
    name: 'half a stream',
    reply: stream([chunk({ content: 'Half of ' })], { ending: 'end' }),
    times: 1,
    words: /broke off|ended/,
  },
  {
    name: 'a stream that is cut',
    reply: stream([chunk({ content: 'Half of ' })], { ending: 'reset', delayMs: 20 }),
    times: 1,
    words: /broke/,
  },
  {
    name: 'an error within the stream',
    reply: stream([chunk({ content: 'Well, ' }), { error: { message: `overloaded; ${echo}` } }]),
    times: 1,
    words: /overloaded/,
  },
  {
    name: 'a stream of nonsense',
    reply: raw('data: {"choices": oops}\n\n', { contentType: 'text/event-stream' }),
    times: 1,
    words: /\w{4}/,
  },
  { name: 'an empty answer', reply: text(''), times: 1, words: /neither text nor a tool call/ },
];

describe('a model that answers', () => {
  it.each(faults)(
    '$name fails the turn in words, once, and its session goes on',
    async ({ reply, times, words }) => {
      const play = (): void => provider.script(...Array.from({ length: times }, () => reply));
      const before = provider.requests.length;
      play();
      provider.otherwise(reply);
      const whole = await chat(admin, { agent: agent.name });
      expect([whole.status, whole.error]).toEqual(['failed', expect.stringMatching(words)]);
      const asked = provider.requests.length - before;
      provider.otherwise(text('ok'));
      play();
      provider.otherwise(reply);
      const events = await streamChat(admin, { agent: agent.name });
      provider.otherwise(text('ok'));
      const ends = events.filter(({ event }) => event === 'run-end');
      expect(ends.map(({ data }) => data.status)).toEqual(['failed']);
      expect(typesOf(events).at(-1)).toBe('run-end');
      expect(ends[0]?.data.error).toMatch(words);
      const { data: run } = await admin.get(`/api/netaclaw/runs/${whole.runId}`);
      expect(run).toMatchObject({ status: 'failed', error: whole.error });
      expect(asked).toBe(times);
      for (const sessionId of [whole.sessionId, events[0]?.data.sessionId]) {
        const next = await chat(admin, { agent: agent.name, sessionId, message: 'Again.' });
        expect([next.status, next.reply]).toEqual(['completed', 'ok']);
        const roles = provider.requests.at(-1)?.body.messages?.map(({ role }) => role);
        expect(roles?.at(-1)).toBe('user');
      }
      noSecret(whole, events, run);
    },
    30_000,
  );

  it('with 500 or 429 once is asked again, and nobody notices', async () => {
    const before = provider.requests.length;
    provider.script(
      failure(500, 'a hiccup'),
      text('One.'),
      failure(429, 'slow down', { 'retry-after': '0' }),
      text('Two.'),
    );
    const first = await chat(admin, { agent: agent.name });
    const events = await streamChat(admin, { agent: agent.name });
    expect([first.status, first.reply]).toEqual(['completed', 'One.']);
    expect(events.at(-1)?.data.status).toBe('completed');
    expect(provider.requests.length - before).toBe(4);
  });

  it('and breaks off after its first token is not asked again; the words so far are kept', async () => {
    const before = provider.requests.length;
    provider.script(stream([chunk({ content: 'So far ' })], { ending: 'reset', delayMs: 20 }));
    const events = await streamChat(admin, { agent: agent.name });
    expect(provider.requests.length - before).toBe(1);
    expect(events.find(({ event }) => event === 'message')?.data.text).toBe('So far ');
  });

  it('calls without a name, again and again, ends with its last call and a sentence', async () => {
    const before = provider.requests.length;
    provider.otherwise(calls({ name: '' }, { name: '', arguments: '[]' }));
    const answer = await chat(admin, { agent: agent.name });
    provider.otherwise(text('ok'));
    expect([answer.status, answer.error]).toEqual(['limit', expect.stringMatching(/no answer/)]);
    expect(provider.requests.length - before).toBeLessThan(5);
    const { sessionId } = answer;
    expect((await chat(admin, { agent: agent.name, sessionId })).status).toBe('completed');
  });

  it('nobody, because no one listens there, fails the turn in words', async () => {
    const gone = await startScriptedProvider();
    await gone.close();
    const dead = await makeChannel(admin, { baseUrl: gone.baseUrl, apiKey: KEY });
    const lost = await makeAgent({ admin, channel: dead });
    const answer = await chat(admin, { agent: lost.name });
    expect([answer.status, answer.error]).toEqual([
      'failed',
      expect.stringMatching(/refused the connection/),
    ]);
    noSecret(answer);
  });

  it('a failure in the middle of a turn with tools: the calls that were made stay', async () => {
    const list = JSON.stringify({ items: [{ content: 'one', status: 'pending' }] });
    provider.script(
      calls({ name: 'todo', arguments: list, id: 'call_kept' }),
      failure(400, 'no more'),
    );
    const answer = await chat(admin, { agent: agent.name });
    expect(answer).toMatchObject({
      status: 'failed',
      toolCalls: [{ id: 'call_kept', status: 'ok' }],
    });
    await chat(admin, { agent: agent.name, sessionId: answer.sessionId });
    const sent = provider.requests.at(-1)?.body.messages ?? [];
    expect(sent.filter(({ tool_call_id: id }) => id === 'call_kept')).toHaveLength(1);
  });
});

describe('a fallback channel', () => {
  it('takes over before the first token, not after it', async () => {
    const second = await startScriptedProvider();
    second.otherwise(text('From the second.'));
    const behind = await makeChannel(admin, { baseUrl: second.baseUrl });
    const front = await makeChannel(admin, {
      baseUrl: provider.baseUrl,
      apiKey: KEY,
      fallbackChannelId: behind.id,
    });
    const safe = await makeAgent({ admin, channel: front });
    provider.script(failure(400, 'not today'));
    const whole = await chat(admin, { agent: safe.name });
    expect([whole.status, whole.reply]).toEqual(['completed', 'From the second.']);
    provider.script(stream([chunk({ content: 'Well ' })], { ending: 'reset', delayMs: 20 }));
    const events = await streamChat(admin, { agent: safe.name });
    expect(events.at(-1)?.data.status).toBe('failed');
    expect(second.requests).toHaveLength(1);
    expect(second.requests[0]?.headers).not.toHaveProperty('authorization');
    const used = await admin.post(`${CHANNEL}/delete`, { ids: [behind.id] });
    expect([used.status, used.body.message]).toEqual([409, expect.stringContaining(front.name)]);
    await second.close();
  });

  it('that does not say what it takes in is sent no image, as when it is asked directly', async () => {
    const behind = await makeChannel(admin, { baseUrl: provider.baseUrl });
    const front = await makeChannel(admin, {
      baseUrl: provider.baseUrl,
      capability: 'vision',
      fallbackChannelId: behind.id,
    });
    const seeing = await makeAgent({ admin, channel: front });
    const url =
      'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    provider.script(failure(400, 'not today'), text('A dot, they say.'));
    await chat(admin, { agent: seeing.name, message: [{ type: 'image', url }] });
    const sent = provider.requests.slice(-2).map(({ body }) => JSON.stringify(body));
    expect(sent).toEqual([
      expect.stringContaining('image_url'),
      expect.not.stringContaining('image_url'),
    ]);
  });
});

describe('channels that fall back to each other', () => {
  it('are refused when a circle would close, by the names on the way', async () => {
    const { baseUrl } = provider;
    const third = await makeChannel(admin, { baseUrl });
    const second = await makeChannel(admin, { baseUrl, fallbackChannelId: third.id });
    const first = await makeChannel(admin, { baseUrl, fallbackChannelId: second.id });
    const closing = async (channel: Json, to: Json): Promise<Answer> => {
      const { id, version } = channel;
      return admin.post(`${CHANNEL}/update`, { id, version, fallbackChannelId: to.id });
    };
    for (const [from, to, way] of [
      [second, first, [second, first, second]],
      [third, first, [third, first, second, third]],
    ] as const) {
      const { status, body } = await closing(from, to);
      expect([status, body.details[0].path]).toEqual([400, 'fallbackChannelId']);
      expect(body.details[0].message).toContain(way.map(({ name }) => name).join(' > '));
    }
    expect((await closing(first, third)).status).toBe(200);
  });
});

describe('the address of a channel', () => {
  it.each([
    'http://10.0.0.1/v1',
    'http://169.254.169.254/v1',
    'http://[::1]:8080/v1',
    'http://[::ffff:10.0.0.1]/v1',
    'http://0.0.0.0/v1',
    'http://192.168.1.1:11434/v1',
    'http://0x0a000001/v1',
    'http://167772161/v1',
    'http://user:pass@127.0.0.1/v1',
    'file:///etc/passwd',
  ])('%s is refused, new or changed', async (baseUrl) => {
    const fields = { name: 'private', protocol: 'openai_chat', model: 'm', baseUrl };
    const { id, version } = scenario.channel;
    const answers = await Promise.all([
      admin.post(`${CHANNEL}/add`, fields),
      admin.post(`${CHANNEL}/update`, { id, version, baseUrl }),
    ]);
    for (const { status, body } of answers) {
      expect([status, body.code, body.details[0].path]).toEqual([400, 1002, 'baseUrl']);
    }
    expect((await admin.get(`${CHANNEL}/info?id=${id}`)).data).toEqual(scenario.channel);
  });

  it('may be a name that resolves to a listed address', async () => {
    const { port } = new URL(provider.baseUrl);
    const answer = await admin.post(`${CHANNEL}/add`, {
      name: 'by name',
      protocol: 'openai_chat',
      model: 'm',
      baseUrl: `http://localhost:${port}/v1`,
    });
    // Where localhost is ::1 as well, which is not listed, the name may be refused as a whole.
    const tested =
      answer.status === 200 ? await admin.ask(`${CHANNEL}/test`, { id: answer.data.id }) : {};
    const listed = answer.status === 200 && tested.ok === true && tested.reply === 'ok';
    const refused = answer.status === 400 && answer.text.includes('::1');
    expect([listed, refused]).toContain(true);
  });

  it('that redirects is not followed', async () => {
    const elsewhere = await startScriptedProvider();
    provider.script(redirect(`${elsewhere.baseUrl}/chat/completions`));
    const answer = await chat(admin, { agent: agent.name });
    expect([answer.status, answer.error]).toEqual([
      'failed',
      expect.stringMatching(/redirects to/),
    ]);
    expect(elsewhere.requests).toHaveLength(0);
    await elsewhere.close();
  });
});

describe('the secrets of a channel', () => {
  it('are shown as the last four of the key and masked headers, and sent to the model', async () => {
    const { data } = await admin.get(`${CHANNEL}/info?id=${channel.id}`);
    expect(data.apiKeyHint).toBe(KEY.slice(-4));
    expect(Object.keys(data.headers)).toEqual(['X-Team']);
    expect(data.headers['X-Team']).not.toContain(HEADER);
    provider.script(text('ok'));
    await chat(admin, { agent: agent.name });
    expect(provider.requests.at(-1)?.headers).toMatchObject({
      authorization: `Bearer ${KEY}`,
      'x-team': HEADER,
    });
  });

  it('stay when a shown channel is sent back with its masks', async () => {
    const { data } = await admin.get(`${CHANNEL}/info?id=${channel.id}`);
    const { id, version, headers } = data;
    await admin.ask(`${CHANNEL}/update`, { id, version, headers, model: 'scripted-2' });
    await chat(admin, { agent: agent.name });
    expect(provider.requests.at(-1)?.headers).toMatchObject({ 'x-team': HEADER });
    expect(provider.requests.at(-1)?.body.model).toBe('scripted-2');
  });

  it('in its address are masked, kept when the mask comes back, and not sent elsewhere', async () => {
    const { client } = await addPerson(scenario.app, admin, { username: 'url', role: 'operator' });
    const made = await makeChannel(admin, { baseUrl: `${provider.baseUrl}?key=in-the-address` });
    const masked = `${provider.baseUrl}?key=********`;
    expect((await client.get(`${CHANNEL}/info?id=${made.id}`)).data.baseUrl).toBe(masked);
    const { id, version } = made;
    const elsewhere = 'https://models.example.com/v1?key=********';
    const refused = await client.post(`${CHANNEL}/update`, { id, version, baseUrl: elsewhere });
    expect(refused.status).toBe(403);
    const fields = { id, version, baseUrl: masked, model: 'scripted-3' };
    expect((await client.post(`${CHANNEL}/update`, fields)).status).toBe(200);
    const own = await makeAgent(scenario, { channelId: id });
    provider.script(text('ok'));
    await chat(admin, { agent: own.name });
    expect(provider.requests.at(-1)?.path).toContain('?key=in-the-address');
  });

  it('are not for an operator to set, nor to send elsewhere', async () => {
    const { client } = await addPerson(scenario.app, admin, { username: 'op', role: 'operator' });
    const { id, version } = (await admin.get(`${CHANNEL}/info?id=${channel.id}`)).data;
    const fields = {
      name: 'operators',
      protocol: 'openai_chat',
      model: 'm',
      baseUrl: provider.baseUrl,
    };
    const answers = await Promise.all([
      client.post(`${CHANNEL}/add`, { ...fields, apiKey: 'mine' }),
      client.post(`${CHANNEL}/add`, { ...fields, headers: { 'X-Mine': '1' } }),
      client.post(`${CHANNEL}/update`, { id, version, apiKey: 'mine' }),
      client.post(`${CHANNEL}/update`, { id, version, headers: { 'X-Mine': '1' } }),
      client.post(`${CHANNEL}/update`, { id, version, baseUrl: scenario.provider.baseUrl }),
    ]);
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(
      answers.map(() => [403, 1103]),
    );
    expect((await client.post(`${CHANNEL}/add`, fields)).status).toBe(200);
    expect((await client.post(`${CHANNEL}/update`, { id, version, timeoutMs: 5000 })).status).toBe(
      200,
    );
  });

  it('cannot be a header of the transport', async () => {
    for (const name of ['Host', 'Authorization', 'Content-Length', 'bad name']) {
      const answer = await admin.post(`${CHANNEL}/add`, {
        name: 'headers',
        protocol: 'openai_chat',
        model: 'm',
        baseUrl: provider.baseUrl,
        headers: { [name]: 'x' },
      });
      expect(answer.status).toBe(400);
    }
  });
});

describe('the test of a channel', () => {
  it('answers the reply and the time it took', async () => {
    provider.script(text('pong'));
    expect(await admin.ask(`${CHANNEL}/test`, { id: channel.id })).toEqual({
      ok: true,
      latencyMs: expect.any(Number),
      reply: 'pong',
      error: null,
    });
  });

  it("answers the provider's words when it fails, without secrets", async () => {
    provider.script(failure(401, echo));
    const tested = await admin.ask(`${CHANNEL}/test`, { id: channel.id });
    expect(tested).toMatchObject({
      ok: false,
      reply: null,
      error: expect.stringMatching(/401.*are wrong/),
    });
    noSecret(tested);
    provider.script(text(''));
    expect(await admin.ask(`${CHANNEL}/test`, { id: channel.id })).toMatchObject({
      ok: false,
      error: expect.stringMatching(/without a word/),
    });
    expect((await admin.post(`${CHANNEL}/test`, { id: 999_999 })).status).toBe(404);
  });
});

it('a channel that is used is not deleted, and the refusal names its users', async () => {
  const answer = await admin.post(`${CHANNEL}/delete`, { ids: [channel.id] });
  expect([answer.status, answer.body.message]).toEqual([409, expect.stringContaining(agent.name)]);
});

it('an agent whose channel is off or missing starts no run, with a sentence', async () => {
  const off = await makeChannel(admin, { baseUrl: provider.baseUrl, status: 0 });
  const [one, two] = [
    await makeAgent({ admin, channel: off }),
    await makeAgent({ admin, channel: { id: null } }),
  ];
  for (const { name } of [one, two]) {
    const answer = await admin.post('/api/netaclaw/chat', { agent: name, message: 'Hi' });
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringMatching(/channel/)]);
  }
});

it('after all of this no answer, record or log line holds a secret', async () => {
  const pages = await Promise.all([
    admin.ask(`${CHANNEL}/page`, { size: 200 }),
    admin.ask(`${CHANNEL}/list`),
    admin.ask('/admin/netaclaw/audit/page', { size: 200 }),
    admin.ask('/admin/netaclaw/run/page', { size: 200 }),
    admin.ask('/admin/netaclaw/session/page', { size: 200 }),
    auditOf(admin, 'channel:faulty'),
  ]);
  const exported = await admin.post('/admin/netaclaw/audit/export');
  const runs: Json[] = pages[3].list;
  const details = [];
  for (const { runId } of runs) {
    details.push((await admin.get(`/admin/netaclaw/run/info?id=${runId}`)).data);
  }
  expect([runs.length > 40, details.every(({ events }) => events.length > 0)]).toEqual([
    true,
    true,
  ]);
  const ended = details.map(
    ({ events }) => events.filter(({ type }: Json) => type === 'run-end').length,
  );
  expect(new Set(ended)).toEqual(new Set([1]));
  noSecret(pages, details, exported.text, logged);
});
