import { readdir } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NetaClawToolSourcesService } from '../src/modules/netaclaw/service/tool/tool_sources.js';
import { TestClient, type Json } from './client.js';
import { openChat, openEvents, streamChat, typesOf, type StreamedEvent } from './event_stream.js';
import { auditOf, chat, makeAgent, makeKey, startScenario, type Scenario } from './scenario.js';
import { calls, failure, stall, text, type Reply } from './scripted_provider.js';
import { makeGate, testSource, testTool } from './test_tools.js';

const API = '/api/netaclaw';
const NOBODYS = '0197b2f0-0000-7000-8000-000000000000';

let scenario: Scenario;
let admin: TestClient;
let provider: Scenario['provider'];
let agent: Json;
let gate = makeGate();

beforeAll(async () => {
  scenario = await startScenario();
  ({ admin, provider } = scenario);
  const sources = await scenario.app.get(NetaClawToolSourcesService);
  const held = testTool({ name: 'held' }, () => gate.wait().then(() => 'let go'));
  sources.add(testSource('held', [held]));
  await admin.ask('/admin/netaclaw/tool/sync');
  agent = await makeAgent(scenario, {
    runtime: 'local',
    toolsets: ['base', 'planning', 'document'],
  });
});
afterAll(() => scenario?.end());

const lastRequest = () => provider.requests.at(-1);
const sentMessages = (): Json[] => lastRequest()?.body.messages ?? [];
const seqs = (events: readonly StreamedEvent[]): number[] => events.map(({ data }) => data.seq);
const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
const messagesOf = async (client: TestClient, sessionId: string, query = ''): Promise<Json> =>
  (await client.get(`${API}/sessions/${sessionId}/messages${query}`)).data;

/** Holds a turn up in the middle of a tool call; `open` of the gate lets it go on. */
function holdTurn(...after: Reply[]): void {
  gate = makeGate();
  provider.script(calls({ name: 'held', id: 'call_held' }), ...after);
}

describe('a turn that is answered whole', () => {
  it('has exactly the fields of the interface', async () => {
    provider.script(
      calls({ name: 'write_file', arguments: '{"path":"a.txt","content":"A"}', id: 'call_1' }),
      text('Written.'),
    );
    const answer = await admin.post(`${API}/chat`, { agent: agent.name, message: 'Write A.' });
    expect([answer.status, answer.body.code, answer.body.message]).toEqual([200, 1000, 'success']);
    expect(answer.data).toEqual({
      runId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      sessionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: 'completed',
      reply: 'Written.',
      toolCalls: [
        {
          id: 'call_1',
          name: 'write_file',
          arguments: '{"path":"a.txt","content":"A"}',
          status: 'ok',
          durationMs: expect.any(Number),
        },
      ],
      usage: { inputTokens: 20, outputTokens: 10, totalTokens: 30 },
      toolNames: expect.arrayContaining(['bash', 'write_file', 'todo']),
      disabledReasons: [],
    });
  });

  it('is stored with its calls and results, and a run of its own', async () => {
    provider.script(
      calls(
        { name: 'list_dir', id: 'call_a' },
        { name: 'read_file', arguments: '{', id: 'call_b' },
      ),
      text('Looked.'),
    );
    const { runId, sessionId, toolNames } = await chat(admin, {
      agent: agent.name,
      message: 'Look.',
    });
    const { list, pagination } = await messagesOf(admin, sessionId);
    expect(pagination).toEqual({ page: 1, size: 20, total: 5 });
    expect(list.map((row: Json) => row.message)).toEqual([
      { role: 'user', content: 'Look.' },
      {
        role: 'assistant',
        content: '',
        toolCalls: [
          { id: 'call_a', name: 'list_dir', arguments: '{}' },
          { id: 'call_b', name: 'read_file', arguments: '{' },
        ],
      },
      {
        role: 'tool',
        toolCallId: 'call_a',
        name: 'list_dir',
        content: expect.any(String),
        status: 'ok',
      },
      {
        role: 'tool',
        toolCallId: 'call_b',
        name: 'read_file',
        content: expect.stringContaining('not valid JSON'),
        status: 'error',
      },
      { role: 'assistant', content: 'Looked.' },
    ]);
    expect(new Set(list.map((row: Json) => row.runId))).toEqual(new Set([runId]));
    const { data: run } = await admin.get(`${API}/runs/${runId}`);
    expect(run).toMatchObject({
      runId,
      sessionId,
      agent: agent.name,
      status: 'completed',
      error: null,
      model: 'scripted',
      reply: 'Looked.',
      toolCalls: [
        { id: 'call_a', status: 'ok' },
        { id: 'call_b', status: 'error' },
      ],
      toolNames,
      startedAt: expect.stringMatching(/Z$/),
      endedAt: expect.stringMatching(/Z$/),
    });
    const audited = await auditOf(admin, 'tool:list_dir', 'tool.call');
    expect(audited[0]).toMatchObject({ actor: 'user:admin', after: { runId, status: 'ok' } });
  });

  it('goes on with its session, and files made in one turn are there in the next', async () => {
    provider.script(
      calls({ name: 'write_file', arguments: '{"path":"n.txt","content":"42"}', id: 'call_w' }),
      text('Kept.'),
    );
    const { sessionId } = await chat(admin, { agent: agent.name, message: 'Keep 42.' });
    provider.script(calls({ name: 'read_file', arguments: '{"path":"n.txt"}' }), text('It is 42.'));
    const second = await chat(admin, { agent: agent.name, sessionId, message: 'What was it?' });
    expect(second.sessionId).toBe(sessionId);
    expect(sentMessages().map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
      'assistant',
      'tool',
    ]);
    expect(sentMessages().at(-1).content).toContain('42');
  });
});

describe('a turn that is streamed', () => {
  it('numbers its events from 1 without a gap and ends with one run-end', async () => {
    provider.script(
      calls({ name: 'todo', arguments: '{"items":[]}', id: 'call_t' }),
      text('one two three'),
    );
    const stream = await openChat(admin, { agent: agent.name });
    await stream.ended;
    const { events } = stream;
    expect([stream.status, stream.contentType]).toEqual([
      200,
      expect.stringMatching(/^text\/event-stream/),
    ]);
    expect(seqs(events)).toEqual(upTo(events.length));
    expect(events.map(({ id }) => Number(id))).toEqual(seqs(events));
    expect(typesOf(events)).toEqual(events.map(({ data }) => data.type));
    const types = typesOf(events).filter((type, index, all) => type !== all[index - 1]);
    expect(types).toEqual([
      'run-start',
      'usage',
      'tool-call',
      'tool-result',
      'text-delta',
      'usage',
      'message',
      'run-end',
    ]);
    const of = (type: string) =>
      events.filter(({ event }) => event === type).map(({ data }) => data);
    expect(
      of('text-delta')
        .map((data) => data.text)
        .join(''),
    ).toBe('one two three');
    expect(of('message')).toMatchObject([{ text: 'one two three' }]);
    expect(of('tool-call')).toMatchObject([
      { id: 'call_t', name: 'todo', arguments: '{"items":[]}' },
    ]);
    expect(of('tool-result')).toMatchObject([
      {
        id: 'call_t',
        name: 'todo',
        status: 'ok',
        durationMs: expect.any(Number),
        preview: expect.any(String),
      },
    ]);
    expect(of('run-end')).toMatchObject([{ status: 'completed' }]);
    const { runId, sessionId } = of('run-start')[0];
    expect(events.every(({ data }) => data.runId === runId && data.sessionId === sessionId)).toBe(
      true,
    );
  });

  it('goes on when its reader hangs up', async () => {
    holdTurn(text('It was let go.'));
    const stream = await openChat(admin, { agent: agent.name });
    const { data: start } = await stream.until('run-start');
    await gate.entered;
    stream.close();
    gate.open();
    await expect
      .poll(async () => (await admin.get(`${API}/runs/${start.runId}`)).data.status)
      .toBe('completed');
  });
});

describe('the events of a run', () => {
  it('that has ended are replayed: all, or after a number, by query or header', async () => {
    provider.script(calls({ name: 'todo', arguments: '{"items":[]}' }), text('a b c'));
    const live = await streamChat(admin, { agent: agent.name });
    const path = `${API}/runs/${live[0]?.data.runId}/events`;
    const replay = async (query = '', headers = {}) => {
      const stream = await openEvents(admin, path + query, { headers });
      await stream.ended;
      return stream.events;
    };
    expect(await replay()).toEqual(live);
    expect(await replay('?after=3')).toEqual(live.slice(3));
    expect(await replay('', { 'last-event-id': '4' })).toEqual(live.slice(4));
    expect(await replay('?after=2', { 'last-event-id': '4' })).toEqual(live.slice(2));
    expect(await replay(`?after=${live.length}`)).toEqual([]);
    for (const query of ['?after=-1', '?after=x', '?after=1&after=2', '?since=1']) {
      expect((await admin.get(path + query)).status).toBe(400);
    }
  });

  it('that is under way are replayed and go on: nothing lost, nothing twice', async () => {
    holdTurn(text('It was let go.'));
    const first = await openChat(admin, { agent: agent.name });
    const { data: start } = await first.until('run-start');
    await gate.entered;
    await first.until('tool-call');
    const path = `${API}/runs/${start.runId}/events`;
    const [all, later, byHeader] = await Promise.all([
      openEvents(admin, path),
      openEvents(admin, `${path}?after=2`),
      openEvents(admin, path, { headers: { 'last-event-id': '1' } }),
    ]);
    await all.until('tool-call');
    gate.open();
    await Promise.all([first, all, later, byHeader].map(({ ended }) => ended));
    expect(seqs(first.events)).toEqual(upTo(first.events.length));
    expect(all.events).toEqual(first.events);
    expect(later.events).toEqual(first.events.slice(2));
    expect(byHeader.events).toEqual(first.events.slice(1));
  });

  it('survive a reader that comes back again and again', async () => {
    const words = Array.from({ length: 40 }, (_, index) => `w${index}`).join(' ');
    provider.script(text(words, { delayMs: 5 }));
    const first = await openChat(admin, { agent: agent.name });
    const { data: start } = await first.until('run-start');
    const seen: StreamedEvent[] = [];
    while (seen.at(-1)?.event !== 'run-end') {
      const after = seen.at(-1)?.id ?? '0';
      const stream = await openEvents(admin, `${API}/runs/${start.runId}/events`, {
        headers: { 'last-event-id': after },
      });
      await new Promise((resolve) => setTimeout(resolve, 25));
      seen.push(...stream.events);
      stream.close();
    }
    await first.ended;
    expect(seen).toEqual(first.events);
  });
});

describe('a cancelled run', () => {
  const afterwards = async (sessionId: string): Promise<Json> => {
    provider.script(text('Still here.'));
    return chat(admin, { agent: agent.name, sessionId, message: 'Are you there?' });
  };

  it('in the middle of a tool call ends as cancelled; the session goes on', async () => {
    holdTurn();
    const turn = chat(admin, { agent: agent.name });
    await gate.entered;
    const [{ runId }] = (await admin.ask('/admin/netaclaw/run/page', { status: 'running' })).list;
    const cancelled = await admin.ask(`${API}/runs/${runId}/cancel`);
    expect(cancelled).toMatchObject({
      runId,
      status: 'cancelled',
      toolCalls: [{ status: 'cancelled' }],
    });
    const answer = await turn;
    expect(answer).toMatchObject({ status: 'cancelled', toolCalls: [{ id: 'call_held' }] });
    expect((await afterwards(answer.sessionId)).reply).toBe('Still here.');
    const tools = sentMessages().filter(({ role }) => role === 'tool');
    expect(tools.map((message) => message.tool_call_id)).toEqual(['call_held']);
    expect(await auditOf(admin, `run:${runId}`, 'run.cancel')).toHaveLength(1);
  });

  it('in the middle of a model call ends the request; streamed words are kept', async () => {
    const before = provider.abandoned;
    provider.script(text('first second third fourth', { delayMs: 400 }));
    const stream = await openChat(admin, { agent: agent.name });
    const { data } = await stream.until('text-delta');
    await admin.ask(`${API}/runs/${data.runId}/cancel`);
    await stream.ended;
    expect(typesOf(stream.events).filter((type) => type === 'run-end')).toHaveLength(1);
    expect(stream.events.at(-1)).toMatchObject({ event: 'run-end', data: { status: 'cancelled' } });
    await provider.until(() => provider.abandoned === before + 1);
    expect((await afterwards(data.sessionId)).status).toBe('completed');
    expect(
      sentMessages().some(({ role, content }) => role === 'assistant' && content.includes('first')),
    ).toBe(true);
  });

  it('is answered as it is when it has ended before', async () => {
    const { runId } = await chat(admin, { agent: agent.name });
    expect(await admin.ask(`${API}/runs/${runId}/cancel`)).toMatchObject({ status: 'completed' });
    expect((await admin.post(`${API}/runs/${NOBODYS}/cancel`)).status).toBe(404);
  });

  it('ends the whole of a shell command', async () => {
    provider.script(
      calls({ name: 'bash', arguments: '{"command":"(sleep 3; touch late.txt) & sleep 30"}' }),
    );
    const stream = await openChat(admin, { agent: agent.name });
    const { data } = await stream.until('tool-call');
    await new Promise((resolve) => setTimeout(resolve, 300));
    const startedAt = Date.now();
    await admin.ask(`${API}/runs/${data.runId}/cancel`);
    expect(Date.now() - startedAt).toBeLessThan(5_000);
    await stream.ended;
    await new Promise((resolve) => setTimeout(resolve, 3_200));
    provider.script(calls({ name: 'list_dir' }), text('Nothing.'));
    await chat(admin, { agent: agent.name, sessionId: data.sessionId });
    expect(sentMessages().at(-1).content).not.toContain('late.txt');
  });
});

describe('a request with an id', () => {
  it('made twice, one after the other, is one run', async () => {
    const before = provider.requests.length;
    const body = { agent: agent.name, requestId: 'one-after-the-other' };
    const first = await chat(admin, body);
    const second = await chat(admin, body);
    expect(second).toEqual(first);
    const streamed = await streamChat(admin, body);
    expect(streamed[0]?.data.runId).toBe(first.runId);
    expect(streamed.at(-1)?.event).toBe('run-end');
    expect(provider.requests.length).toBe(before + 1);
  });

  it('made many times at once is one run', async () => {
    const before = provider.requests.length;
    const body = { agent: agent.name, requestId: 'at-once' };
    holdTurn(text('It was let go.'));
    const turns = Array.from({ length: 6 }, () => chat(admin, body));
    const streams = Promise.all([1, 2].map(() => streamChat(admin, body)));
    await gate.entered;
    gate.open();
    const [first, ...others] = await Promise.all(turns);
    for (const other of others) expect(other).toEqual(first);
    for (const events of await streams) {
      expect(seqs(events)).toEqual(upTo(events.length));
      expect(events[0]?.data.runId).toBe(first.runId);
    }
    expect(provider.requests.length).toBe(before + 2);
    const { list } = await admin.ask('/admin/netaclaw/session/page', { size: 200 });
    expect(list.filter((row: Json) => row.sessionId === first.sessionId)).toHaveLength(1);
  });

  it('joins its run also when it names the session', async () => {
    const { sessionId } = await chat(admin, { agent: agent.name });
    const body = { agent: agent.name, sessionId, requestId: 'in-a-session' };
    holdTurn(text('It was let go.'));
    const turns = [chat(admin, body), chat(admin, body)];
    await gate.entered;
    gate.open();
    const [one, two] = await Promise.all(turns);
    expect(two).toEqual(one);
  });

  it('is refused when another request had the id', async () => {
    const { sessionId } = await chat(admin, { agent: agent.name });
    const body = { agent: agent.name, message: 'Hello', requestId: 'used-before' };
    const { runId } = await chat(admin, body);
    const others = [{ message: 'Something else' }, { sessionId }, { denyTools: ['bash'] }];
    for (const other of others) {
      const refused = await admin.post(`${API}/chat`, { ...body, ...other });
      expect(refused).toMatchObject({
        status: 409,
        body: {
          message: expect.stringMatching(/used before for another request/),
          details: { current: { runId } },
        },
      });
    }
    expect((await chat(admin, body)).runId).toBe(runId);
  });

  it('is its own for each caller', async () => {
    const key = await makeKey(admin);
    const body = { agent: agent.name, requestId: 'shared-name' };
    const [mine, theirs] = [await chat(admin, body), await chat(key, body)];
    expect(theirs.runId).not.toBe(mine.runId);
  });
});

describe('a session with a run under way', () => {
  it('refuses a second turn, and its deletion, and names the run', async () => {
    const { sessionId } = await chat(admin, { agent: agent.name });
    holdTurn(text('It was let go.'));
    const turn = chat(admin, { agent: agent.name, sessionId });
    await gate.entered;
    const answers = await Promise.all([
      admin.post(`${API}/chat`, { agent: agent.name, message: 'And?', sessionId }),
      admin.post(`${API}/chat`, { agent: agent.name, message: 'And?', sessionId, stream: true }),
      admin.delete(`${API}/sessions/${sessionId}`),
    ]);
    gate.open();
    const { runId } = await turn;
    for (const { status, body } of answers) {
      expect([status, body.code, body.details.current]).toEqual([409, 1109, { runId }]);
    }
    expect((await chat(admin, { agent: agent.name, sessionId })).status).toBe('completed');
  });
});

describe('denyTools', () => {
  it('narrows: a named tool is out with caller_removed and refused', async () => {
    provider.script(calls({ name: 'bash', arguments: '{"command":"true"}' }), text('No.'));
    const answer = await chat(admin, { agent: agent.name, denyTools: ['bash'] });
    expect(answer.toolNames).not.toContain('bash');
    expect(answer.disabledReasons).toMatchObject([{ name: 'bash', reason: 'caller_removed' }]);
    expect(answer.toolCalls).toMatchObject([{ status: 'refused' }]);
    expect((await chat(admin, { agent: agent.name })).toolNames).toContain('bash');
  });

  it('refuses a name that is none, with its place', async () => {
    const body = { agent: agent.name, message: 'Hello', denyTools: ['bash', 'no_such_tool'] };
    const { status, body: answer } = await admin.post('/api/netaclaw/chat', body);
    expect([status, answer.details]).toEqual([
      400,
      [{ path: 'denyTools.1', message: 'there is no tool named no_such_tool' }],
    ]);
  });

  it('cannot widen, whatever else a body tries', async () => {
    for (const extra of [
      { allowTools: ['bash'] },
      { tools: ['bash'] },
      { role: 'admin' },
      { user: 'admin' },
    ]) {
      const answer = await admin.post(`${API}/chat`, {
        agent: agent.name,
        message: 'Hi',
        ...extra,
      });
      expect([answer.status, answer.body.details[0].path]).toEqual([400, Object.keys(extra)[0]]);
    }
  });
});

describe('an API key', () => {
  const ask = (client: TestClient) =>
    client.post(`${API}/chat`, { agent: agent.name, message: 'Hi' });

  it('uses the agents it names: null all, [] none', async () => {
    const other = await makeAgent(scenario);
    const [all, none, named] = await Promise.all(
      [null, [], [other.name]].map((agents) => makeKey(admin, { agents })),
    );
    const answers = await Promise.all(
      [all, none, named].map((client) => ask(client as TestClient)),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 403, 403]);
    expect(answers[1]?.body).toMatchObject({
      code: 1103,
      message: expect.stringContaining(agent.name),
    });
    expect((await chat(named as TestClient, { agent: other.name })).status).toBe('completed');
  });

  it('does not learn whether an agent that it may not use exists', async () => {
    const none = await makeKey(admin, { agents: [] });
    const answer = await none.post(`${API}/chat`, { agent: 'nowhere', message: 'Hi' });
    expect(answer.status).toBe(403);
  });

  it('sees nothing of others: sessions, runs, events and files are 404', async () => {
    const key = await makeKey(admin);
    const { sessionId, runId } = await chat(admin, { agent: agent.name });
    const { fileId } = (await upload(admin, 'mine.txt', 'mine')).data;
    const answers = await Promise.all([
      key.get(`${API}/runs/${runId}`),
      key.get(`${API}/runs/${runId}/events`),
      key.post(`${API}/runs/${runId}/cancel`),
      key.get(`${API}/sessions/${sessionId}/messages`),
      key.delete(`${API}/sessions/${sessionId}`),
      key.post(`${API}/chat`, { agent: agent.name, message: 'Hi', sessionId }),
      key.get(`${API}/files/${fileId}`),
      key.post(`${API}/chat`, { agent: agent.name, message: [{ type: 'file', fileId }] }),
    ]);
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(
      answers.map(() => [404, 1104]),
    );
    expect((await key.get(`${API}/sessions`)).data.list).toEqual([]);
  });

  it('that has expired or does not exist is 401', async () => {
    const late = await makeKey(admin, { expiresAt: '2020-01-01T00:00:00.000Z' });
    const wrong = new TestClient(admin.url, 'nc_0000000000000000000000000000000000000000000');
    const answers = [
      await ask(late),
      await ask(wrong),
      await ask(new TestClient(admin.url, 'x.y.z')),
    ];
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(
      answers.map(() => [401, 1101]),
    );
  });

  it('is held to its limit, with Retry-After, and others are not', async () => {
    const key = await makeKey(admin, { rateLimit: 2 });
    const answers = [await ask(key), await ask(key), await ask(key)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(answers[2]?.body.code).toBe(1129);
    const seconds = Number(answers[2]?.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
    expect((await ask(admin)).status).toBe(200);
  });
});

/** Uploads as a browser does. */
async function upload(client: TestClient, name: string, content: string | Blob): Promise<Json> {
  const form = new FormData();
  const blob = typeof content === 'string' ? new Blob([content], { type: 'text/plain' }) : content;
  form.append('file', blob, name);
  return send(client, form);
}

async function send(client: TestClient, body: string | FormData, headers = {}): Promise<Json> {
  const response = await fetch(`${client.url}${API}/files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${client.token}`, ...headers },
    body,
  });
  const answer: Json = await response.json();
  return { status: response.status, ...answer };
}

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('a file', () => {
  it('is uploaded and comes back to its owner as it was', async () => {
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, index) => index % 256));
    const { status, data } = await upload(
      admin,
      'bytes.bin',
      new Blob([bytes], { type: 'application/octet-stream' }),
    );
    expect([status, data]).toEqual([
      200,
      {
        fileId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: 'bytes.bin',
        size: 70_000,
        mime: 'application/octet-stream',
      },
    ]);
    const response = await fetch(`${admin.url}${API}/files/${data.fileId}`, {
      headers: { authorization: `Bearer ${admin.token}` },
    });
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
    expect(response.headers.get('content-disposition')).toContain('attachment');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\x\\plan.txt', 'plan.txt'],
    ['报告 2026.txt', '报告 2026.txt'],
    ['a"\r\nb.txt', 'a%22%0D%0Ab.txt'],
  ])('named %j keeps no path and its letters', async (given, kept) => {
    const { status, data } = await upload(admin, given, 'x');
    expect([status, data.name]).toEqual([200, kept]);
    const response = await fetch(`${admin.url}${API}/files/${data.fileId}`, {
      headers: { authorization: `Bearer ${admin.token}` },
    });
    expect(response.headers.get('content-disposition')).toContain(encodeURIComponent(data.name));
  });

  it('that is missing or unreadable is refused with a sentence', async () => {
    const empty = new FormData();
    empty.append('other', 'x');
    const answers = [
      await send(admin, empty),
      await send(admin, '{}', { 'content-type': 'application/json' }),
      await send(admin, 'x', { 'content-type': 'multipart/form-data' }),
      await send(admin, '--b\r\ncut', { 'content-type': 'multipart/form-data; boundary=b' }),
      await upload(admin, 'nul\u0000.txt', 'x'),
    ];
    expect(answers.map(({ status, code, message }) => [status, code, message.length > 10])).toEqual(
      answers.map(() => [400, 1002, true]),
    );
    const missing = [{ type: 'file', fileId: NOBODYS }];
    expect((await admin.post(`${API}/chat`, { agent: agent.name, message: missing })).status).toBe(
      404,
    );
    expect((await admin.get(`${API}/files/${NOBODYS}`)).status).toBe(404);
  });

  it('whose upload breaks off leaves nothing behind', async () => {
    const stored = () => readdir(join(scenario.app.dataDir, 'files'));
    const before = await stored();
    const request = http.request(`${admin.url}${API}/files`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${admin.token}`,
        'content-type': 'multipart/form-data; boundary=b',
      },
    });
    request.on('error', () => {});
    const head = '--b\r\ncontent-disposition: form-data; name="file"; filename="half.txt"\r\n\r\n';
    request.write(`${head}${'x'.repeat(100_000)}`);
    await expect.poll(stored).toHaveLength(before.length + 1);
    request.destroy();
    await expect.poll(stored).toEqual(before);
  });

  it('named in a message lies in the workspace, where read_file reaches it', async () => {
    const { data: file } = await upload(admin, '../报告 (1).txt', 'the secret number is 7');
    const message = [
      { type: 'text', text: 'Read it.' },
      { type: 'file', fileId: file.fileId },
    ];
    provider.script(async (response, request) => {
      const sent: Json = request.body.messages?.at(-1);
      const [, path] = /workspace at (\S+?)\]/.exec(JSON.stringify(sent.content)) ?? [];
      const args = JSON.stringify({ path });
      await calls({ name: 'read_file', arguments: args })(response, request);
    }, text('7'));
    const { sessionId, toolCalls } = await chat(admin, { agent: agent.name, message });
    expect(toolCalls).toMatchObject([{ name: 'read_file', status: 'ok' }]);
    expect(sentMessages().at(-1).content).toContain('the secret number is 7');
    const { list } = await messagesOf(admin, sessionId);
    expect(list[0].message.content).toEqual(message);
  });

  it('named to an agent without a computer is told of in words', async () => {
    const plain = await makeAgent(scenario);
    const { data: file } = await upload(admin, 'x.txt', 'x');
    await chat(admin, { agent: plain.name, message: [{ type: 'file', fileId: file.fileId }] });
    expect(JSON.stringify(sentMessages().at(-1).content)).toContain('x.txt');
  });
});

describe('an image', () => {
  const message = async () => {
    const { data } = await upload(admin, 'dot.png', new Blob([PIXEL], { type: 'image/png' }));
    return [
      { type: 'text', text: 'What is it?' },
      { type: 'image', fileId: data.fileId },
    ];
  };

  it('for a text model becomes a placeholder', async () => {
    const { status } = await chat(admin, { agent: agent.name, message: await message() });
    expect(status).toBe('completed');
    const wire = JSON.stringify(sentMessages());
    expect(wire).not.toContain('image_url');
    expect(wire).not.toContain(PIXEL.toString('base64'));
    expect(JSON.stringify(sentMessages().at(-1).content)).toMatch(/image/i);
  });

  it('for a vision model is sent as data, also in later turns', async () => {
    const seeing = await makeAgent(scenario, { capability: 'vision' });
    const url = `data:image/png;base64,${PIXEL.toString('base64')}`;
    const { sessionId } = await chat(admin, { agent: seeing.name, message: await message() });
    expect(sentMessages().at(-1).content).toEqual([
      { type: 'text', text: 'What is it?' },
      { type: 'image_url', image_url: { url } },
    ]);
    await chat(admin, { agent: seeing.name, sessionId });
    expect(sentMessages()[1].content[1]).toEqual({ type: 'image_url', image_url: { url } });
  });

  it('given by address is fetched once and kept, so that later turns are sent the same', async () => {
    let asked = 0;
    const host = http.createServer((_request, response) => {
      asked += 1;
      response.writeHead(200, { 'content-type': 'image/png' }).end(PIXEL);
    });
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
    const { port } = host.address() as AddressInfo;
    const seeing = await makeAgent(scenario, { capability: 'vision' });
    const part = { type: 'image', url: `http://127.0.0.1:${port}/a.png` };
    const { sessionId } = await chat(admin, { agent: seeing.name, message: [part] });
    host.closeAllConnections();
    host.close();
    await chat(admin, { agent: seeing.name, sessionId });
    const url = `data:image/png;base64,${PIXEL.toString('base64')}`;
    expect(sentMessages()[1].content).toEqual([{ type: 'image_url', image_url: { url } }]);
    expect(asked).toBe(1);
    const { list } = await messagesOf(admin, sessionId);
    expect(list[0].message.content).toEqual([{ type: 'image', fileId: expect.any(String) }]);
  });

  it('that the provider refuses does not end the session', async () => {
    const seeing = await makeAgent(scenario, { capability: 'vision' });
    const refused = failure(400, 'Could not process image');
    provider.script(refused, refused, text('Hi.'));
    const { sessionId } = await chat(admin, { agent: seeing.name, message: await message() });
    await chat(admin, { agent: seeing.name, sessionId });
    expect(JSON.stringify(sentMessages())).toContain('image_url');
    const third = await chat(admin, { agent: seeing.name, sessionId });
    expect([third.status, third.reply]).toEqual(['completed', 'Hi.']);
    expect(JSON.stringify(sentMessages())).not.toContain('image_url');
  });

  it('that is none, or lies on a private address, is refused at its place', async () => {
    const seeing = await makeAgent(scenario, { capability: 'vision' });
    const { data } = await upload(admin, 'no.png', 'text');
    const named = await upload(admin, 'no.png', new Blob(['text'], { type: 'image/png' }));
    for (const part of [
      { type: 'image', fileId: data.fileId },
      { type: 'image', fileId: named.data.fileId },
      { type: 'image', url: `data:image/png;base64,${btoa('this is no png at all')}` },
      { type: 'image', url: 'http://169.254.169.254/latest' },
      { type: 'image', url: 'file:///etc/passwd' },
    ]) {
      const answer = await admin.post(`${API}/chat`, { agent: seeing.name, message: [part] });
      expect([answer.status, answer.body.details[0].path]).toEqual([
        400,
        expect.stringMatching(/^message/),
      ]);
    }
  });
});

describe('the list of sessions', () => {
  it('is the newest first, with its titles, page by page', async () => {
    const key = await makeKey(admin);
    const ids: string[] = [];
    for (const message of ['one', 'two', 'three']) {
      ids.push((await chat(key, { agent: agent.name, message })).sessionId);
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
    await chat(key, { agent: agent.name, sessionId: ids[0], message: 'again' });
    const pageOf = async (query: string) => (await key.get(`${API}/sessions${query}`)).data;
    const all = await pageOf('');
    expect(all.list.map(({ title }: Json) => title)).toEqual(['one', 'three', 'two']);
    expect(all.pagination).toEqual({ page: 1, size: 20, total: 3 });
    expect(all.list[0]).toEqual({
      sessionId: ids[0],
      agent: agent.name,
      crew: null,
      title: 'one',
      createTime: expect.stringMatching(/Z$/),
      updateTime: expect.stringMatching(/Z$/),
    });
    const second = await pageOf('?page=2&size=2');
    expect([second.list.map(({ title }: Json) => title), second.pagination.total]).toEqual([
      ['two'],
      3,
    ]);
    expect((await key.get(`${API}/sessions?size=201`)).status).toBe(400);
  });

  it('loses a deleted session with its messages and runs, and that is recorded', async () => {
    const { sessionId, runId } = await chat(admin, { agent: agent.name });
    const answer = await admin.delete(`${API}/sessions/${sessionId}`);
    expect([answer.status, answer.data]).toEqual([200, { deleted: 1 }]);
    const after = await Promise.all([
      admin.get(`${API}/sessions/${sessionId}/messages`),
      admin.get(`${API}/runs/${runId}`),
      admin.delete(`${API}/sessions/${sessionId}`),
      admin.post(`${API}/chat`, { agent: agent.name, message: 'Hi', sessionId }),
    ]);
    expect(after.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect(await auditOf(admin, `session:${sessionId}`, 'session.delete')).toHaveLength(1);
  });
});

it('the messages of a session are paged over its turns, oldest first', async () => {
  const { sessionId } = await chat(admin, { agent: agent.name, message: 'm0' });
  provider.script(calls({ name: 'list_dir' }), text('r1'));
  await chat(admin, { agent: agent.name, sessionId, message: 'm1' });
  await chat(admin, { agent: agent.name, sessionId, message: 'm2' });
  const whole = await messagesOf(admin, sessionId, '?size=200');
  expect(whole.list.map(({ message }: Json) => message.role)).toEqual([
    'user',
    'assistant',
    'user',
    'assistant',
    'tool',
    'assistant',
    'user',
    'assistant',
  ]);
  for (const size of [1, 3, 5, 8]) {
    const pieces: Json[] = [];
    for (let page = 1; pieces.length < 8; page += 1) {
      const part = await messagesOf(admin, sessionId, `?size=${size}&page=${page}`);
      expect(part.pagination).toEqual({ page, size, total: 8 });
      pieces.push(...part.list);
    }
    expect(pieces).toEqual(whole.list);
  }
  expect((await messagesOf(admin, sessionId, '?page=9')).list).toEqual([]);
});

describe('a run that takes too long', () => {
  it('is failed with a sentence, and its session goes on', async () => {
    const hasty = await makeAgent(scenario, { limits: { runTimeoutMs: 1000 } });
    provider.script(stall);
    const answer = await chat(admin, { agent: hasty.name });
    expect([answer.status, answer.error]).toEqual([
      'failed',
      expect.stringMatching(/longer than 1 s/),
    ]);
    const { sessionId } = answer;
    expect((await chat(admin, { agent: hasty.name, sessionId })).status).toBe('completed');
  });
});

describe('a run that calls tools without end', () => {
  it('gets one last call without tools and ends with limit', async () => {
    const limited = await makeAgent(scenario, {
      toolsets: ['planning'],
      limits: { maxToolIterations: 2 },
    });
    const before = provider.requests.length;
    const items = (content: string) =>
      calls({
        name: 'todo',
        arguments: JSON.stringify({ items: [{ content, status: 'pending' }] }),
      });
    provider.script(items('a'), items('b'), text('That is all.'));
    const answer = await chat(admin, { agent: limited.name });
    expect([answer.status, answer.reply, answer.toolCalls.length]).toEqual([
      'limit',
      'That is all.',
      2,
    ]);
    const requests = provider.requests.slice(before);
    expect(requests.map(({ body }) => body.tools === undefined)).toEqual([false, false, true]);
  });
});
