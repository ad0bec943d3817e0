import { socketLimits, socketMethods } from '@netaclaw/contracts';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { NetaClawLiveRunsService } from '../src/modules/netaclaw/service/run/live_runs.js';
import { NetaClawToolSourcesService } from '../src/modules/netaclaw/service/tool/tool_sources.js';
import { TestClient, type Json } from './client.js';
import { addPerson, PASSWORD } from './people.js';
import {
  makeAgent,
  makeKey,
  startScenario,
  updateTool,
  wireTools,
  type Scenario,
} from './scenario.js';
import { calls, stall, text, type Reply } from './scripted_provider.js';
import {
  connectSocket,
  hasEnded,
  openSocket,
  untilTrue,
  type SocketClient,
} from './socket_client.js';
import { makeGate, testSource, testTool } from './test_tools.js';

const NOBODYS = '0197b2f0-0000-7000-8000-000000000000';

let scenario: Scenario;
let admin: TestClient;
let provider: Scenario['provider'];
let agent: Json;
let gate = makeGate();
let hasStopped = false;
const opened: SocketClient[] = [];

beforeAll(async () => {
  scenario = await startScenario({
    SOCKET_ORIGINS: 'https://console.example.com',
    SOCKETS_PER_CALLER: '40',
  });
  ({ admin, provider } = scenario);
  const sources = await scenario.app.get(NetaClawToolSourcesService);
  const held = testTool({ name: 'held' }, () => gate.wait().then(() => 'let go'));
  sources.add(testSource('held', [held, testTool({ name: 'spare' })]));
  await admin.ask('/admin/netaclaw/tool/sync');
  agent = await makeAgent(scenario, { toolsets: ['base', 'planning', 'document'] });
});
afterAll(() => (hasStopped ? undefined : scenario?.end()));
afterEach(() => {
  for (const socket of opened.splice(0)) socket.cut();
});

async function connected(client: TestClient = admin): Promise<SocketClient> {
  const socket = await connectSocket(client);
  opened.push(socket);
  return socket;
}

async function unconnected(headers = {}): Promise<SocketClient> {
  const socket = await openSocket(admin, headers);
  opened.push(socket);
  return socket;
}

const send = (socket: SocketClient, fields: Json = {}): Promise<Json> =>
  socket.payload('chat.send', { agent: agent.name, message: 'Hello', ...fields });
const seqsOf = (events: readonly Json[]): number[] => events.map(({ seq }) => seq);
const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

function holdTurn(...after: Reply[]): void {
  gate = makeGate();
  provider.script(calls({ name: 'held', id: 'call_held' }), ...after);
}

describe('connect', () => {
  it('answers the protocol, the methods and the limits', async () => {
    const socket = await unconnected();
    expect(await socket.ask('connect', { token: admin.token, protocol: 1 })).toEqual({
      type: 'res',
      id: 1,
      ok: true,
      payload: { protocol: 1, features: Object.keys(socketMethods), limits: socketLimits },
    });
  });

  it('with another protocol is refused, told which are spoken, and may be tried again', async () => {
    const socket = await unconnected();
    const { error } = await socket.ask('connect', { protocol: 2, news: true });
    expect(error).toMatchObject({
      code: 1002,
      message: expect.stringContaining('spoken: 1'),
      details: { protocols: [1] },
      retryable: false,
    });
    expect((await socket.ask('connect', { token: admin.token, protocol: 1 })).ok).toBe(true);
  });

  it.each(['nonsense', 'nc_nonsense'])('with the token %s is refused and closed', async (token) => {
    const socket = await unconnected();
    expect((await socket.ask('connect', { token, protocol: 1 })).error.code).toBe(1101);
    expect((await socket.closed).code).toBe(4401);
  });

  it('must come first; requests behind it wait for it', async () => {
    const socket = await unconnected();
    expect((await socket.ask('session.list')).error).toMatchObject({
      code: 1101,
      message: expect.stringContaining('connect'),
    });
    const [first, second] = await Promise.all([
      socket.ask('connect', { token: admin.token, protocol: 1 }),
      socket.ask('ping'),
    ]);
    expect([first.ok, second.ok]).toEqual([true, true]);
  });

  it('that never comes ends the connection after ten seconds', async () => {
    const before = Date.now();
    const socket = await unconnected();
    expect((await socket.closed).code).toBe(4408);
    expect(Date.now() - before).toBeGreaterThan(9_500);
    expect(Date.now() - before).toBeLessThan(12_000);
  }, 20_000);

  it('may come again with a fresh token of the same caller, and of no other', async () => {
    const socket = await connected();
    expect((await socket.ask('connect', { token: admin.token, protocol: 1 })).ok).toBe(true);
    const other = await makeKey(admin);
    const { error } = await socket.ask('connect', { token: other.token, protocol: 1 });
    expect(error.code).toBe(1109);
    expect((await socket.ask('ping')).ok).toBe(true);
  });
});

describe('frames', () => {
  it.each([
    ['no JSON', '{"type":', null],
    ['no object', '17', null],
    ['nothing', '', null],
    ['an unknown field', '{"type":"req","id":"a","method":"ping","role":"admin"}', 'a'],
    ['another type', '{"type":"event","id":7,"method":"ping"}', 7],
    ['bytes', Buffer.from([0xff, 0x00]), null],
  ])('of %s are answered and break nothing', async (_, data, id) => {
    const socket = await connected();
    socket.raw(data);
    await untilTrue(() => socket.strays.length === 1);
    expect(socket.strays[0]).toMatchObject({ type: 'res', id, ok: false, error: { code: 1002 } });
    expect((await socket.ask('ping')).ok).toBe(true);
  });

  it('of garbage before connect are answered, and the fifth is the last', async () => {
    const socket = await unconnected();
    for (let count = 0; count < 6; count += 1) socket.raw('garbage');
    expect((await socket.closed).code).toBe(1008);
    expect(socket.strays).toHaveLength(5);
  });

  it('may have 64 KiB before connect', async () => {
    const [small, large] = [await unconnected(), await unconnected()];
    small.raw('x'.repeat(socketLimits.maxBytesBeforeConnect));
    await untilTrue(() => small.strays.length === 1);
    large.raw('x'.repeat(socketLimits.maxBytesBeforeConnect + 1));
    expect(await large.closed).toMatchObject({
      code: 1009,
      reason: expect.stringContaining('65536'),
    });
  });

  it('may have 1 MiB after connect; one of 10 MB is refused', async () => {
    const socket = await connected();
    socket.raw('x'.repeat(socketLimits.maxBytes));
    await untilTrue(() => socket.strays.length === 1);
    socket.raw('x'.repeat(10_000_000));
    expect((await socket.closed).code).toBe(1009);
  });

  it('name an unknown method or wrong fields and are told so', async () => {
    const socket = await connected();
    for (const method of ['chat.sned', 'constructor', '__proto__']) {
      expect((await socket.ask(method)).error.code).toBe(1104);
    }
    const { error } = await socket.ask('chat.send', { agent: agent.name, message: '', role: 'x' });
    expect(error.details.map(({ path }: Json) => path)).toEqual(['message', 'role']);
  });
});

describe('an upgrade', () => {
  const attempt = (headers: Record<string, string>) => openSocket(admin, headers);

  it('by a page of another origin is refused', async () => {
    await expect(attempt({ origin: 'https://evil.example.com' })).rejects.toThrow('403');
    await expect(attempt({ origin: 'null' })).rejects.toThrow('403');
  });

  it.each([
    ['its own', () => ({ origin: admin.url })],
    ['a configured', () => ({ origin: 'https://console.example.com' })],
    ['none', () => ({})],
  ])('by %s origin is accepted', async (_, headers) => {
    const socket = await attempt(headers());
    expect(socket.socket.readyState).toBe(1);
    socket.cut();
  });

  it('elsewhere is refused', async () => {
    const elsewhere = openSocket({ url: `${admin.url}/api` });
    await expect(elsewhere).rejects.toThrow('404');
  });
});

describe('a turn', () => {
  it('is answered with its address, then its events as they are replayed over HTTP', async () => {
    provider.script(calls({ name: 'todo', arguments: '{"items":[]}' }), text('one two three'));
    const socket = await connected();
    const { runId, sessionId } = await send(socket);
    await socket.until(hasEnded(runId));
    const events = socket.eventsOf(runId);
    expect(seqsOf(events)).toEqual(upTo(events.length));
    expect(events.every((event) => event.sessionId === sessionId)).toBe(true);
    const response = await fetch(`${admin.url}/api/netaclaw/runs/${runId}/events`, {
      headers: { authorization: `Bearer ${admin.token}` },
    });
    const replayed = [...(await response.text()).matchAll(/^data: (.*)$/gm)].map(([, data = '']) =>
      JSON.parse(data),
    );
    expect(events.map(({ payload }) => ({ ...payload, runId, sessionId }))).toEqual(replayed);
    const { data } = await admin.get(`/api/netaclaw/runs/${runId}`);
    expect(data).toMatchObject({ reply: 'one two three', status: 'completed' });
    const { list } = await admin.ask('/admin/netaclaw/run/page', { source: 'websocket' });
    expect(list.map((row: Json) => row.runId)).toContain(runId);
  });

  it('can be cancelled', async () => {
    holdTurn();
    const socket = await connected();
    const { runId } = await send(socket);
    await gate.entered;
    const run = await socket.payload('chat.cancel', { runId });
    expect(run.status).toBe('cancelled');
    await socket.until(hasEnded(runId));
    expect(socket.eventsOf(runId).at(-1)?.payload.status).toBe('cancelled');
  });

  it('asked for twice with one requestId is one run, and heard once on a connection', async () => {
    holdTurn(text('Let go.'));
    const [one, other] = [await connected(), await connected()];
    const body = { requestId: 'socket-twice' };
    const started = await Promise.all([send(one, body), send(one, body), send(other, body)]);
    await gate.entered;
    gate.open();
    const [{ runId }] = started;
    expect(started.map((each) => each.runId)).toEqual([runId, runId, runId]);
    await Promise.all([one, other].map((socket) => socket.until(hasEnded(runId))));
    for (const { eventsOf } of [one, other]) {
      expect(seqsOf(eventsOf(runId))).toEqual(upTo(eventsOf(runId).length));
    }
  });

  it('with the requestId of another message is refused', async () => {
    const socket = await connected();
    const body = { agent: agent.name, requestId: 'socket-other' };
    const { runId } = await send(socket, body);
    await socket.until(hasEnded(runId));
    const { error } = await socket.ask('chat.send', { ...body, message: 'Something else' });
    expect(error).toMatchObject({ code: 1109, message: expect.stringMatching(/another request/) });
  });

  it('in a session that two clients use at once: one runs, the other is told so', async () => {
    const [one, other] = [await connected(), await connected()];
    const { runId, sessionId } = await send(one);
    await one.until(hasEnded(runId));
    holdTurn(text('Let go.'));
    const first = await send(one, { sessionId });
    await gate.entered;
    const { error } = await other.ask('chat.send', { agent: agent.name, message: 'x', sessionId });
    expect(error).toMatchObject({ code: 1109, details: { current: { runId: first.runId } } });
    await other.payload('run.subscribe', { runId: first.runId });
    gate.open();
    await Promise.all([one, other].map((socket) => socket.until(hasEnded(first.runId))));
    expect(other.eventsOf(first.runId)).toEqual(one.eventsOf(first.runId));
    expect((await send(other, { sessionId })).sessionId).toBe(sessionId);
  });

  it('has the tools that tools.effective names, and those of every other path', async () => {
    const socket = await connected();
    const { toolNames } = await socket.payload('tools.effective', { agent: agent.name });
    const { runId } = await send(socket);
    await socket.until(hasEnded(runId));
    expect(wireTools(provider.requests.at(-1))).toEqual(toolNames);
    const preview = await admin.ask('/admin/netaclaw/agent/previewPrompt', { id: agent.id });
    expect(toolNames).toEqual(preview.toolNames);
    expect(socket.eventsOf(runId)[0]?.payload.toolNames).toEqual(toolNames);
  });

  it('loses a tool that is turned off in the middle at its next model turn', async () => {
    gate = makeGate();
    provider.script(calls({ name: 'held' }), calls({ name: 'spare', id: 'late' }), text('Done.'));
    const socket = await connected();
    const { runId } = await send(socket);
    await gate.entered;
    await updateTool(admin, 'spare', { status: 0 });
    gate.open();
    await socket.until(hasEnded(runId));
    await updateTool(admin, 'spare', { status: 1 });
    expect(socket.eventsOf(runId).map(({ payload }) => payload)).toContainEqual(
      expect.objectContaining({ type: 'tool-result', name: 'spare', status: 'refused' }),
    );
    expect(
      provider.requests.slice(-3).map((request) => wireTools(request).includes('spare')),
    ).toEqual([true, false, false]);
  });
});

describe('sessions', () => {
  it('are listed and read as over HTTP', async () => {
    const socket = await connected();
    const { runId, sessionId } = await send(socket);
    await socket.until(hasEnded(runId));
    const { data } = await admin.get('/api/netaclaw/sessions?size=3');
    expect(await socket.payload('session.list', { size: 3 })).toEqual(data);
    const { list } = await socket.payload('session.history', { sessionId });
    expect(list.map(({ message }: Json) => message.role)).toEqual(['user', 'assistant']);
    expect((await socket.ask('session.history', { sessionId: NOBODYS })).error.code).toBe(1104);
  });
});

describe('following a run', () => {
  it('that has ended replays it from where the reader is', async () => {
    const first = await connected();
    const { runId } = await send(first);
    await first.until(hasEnded(runId));
    const again = await connected();
    await again.payload('run.subscribe', { runId, after: 2 });
    await again.until(hasEnded(runId));
    expect(again.eventsOf(runId)).toEqual(first.eventsOf(runId).slice(2));
  });

  it('of another node hears its events as they are stored, each once', async () => {
    holdTurn(text('Let go.'));
    const own = await connected();
    const { runId } = await send(own);
    await gate.entered;
    const liveRuns = await scenario.app.get(NetaClawLiveRunsService);
    const hidden = vi.spyOn(liveRuns, 'get').mockReturnValue(undefined);
    const far = await connected();
    await far.payload('run.subscribe', { runId, after: 1 });
    await far.until((events) => events.some(({ event }) => event === 'tool-call'));
    gate.open();
    await far.until(hasEnded(runId));
    hidden.mockRestore();
    await own.until(hasEnded(runId));
    expect(far.eventsOf(runId)).toEqual(own.eventsOf(runId).slice(1));
  });

  it('of somebody else is refused as if there were none', async () => {
    const { runId, sessionId } = await send(await connected());
    const stranger = await connected(await makeKey(admin));
    const answers = await Promise.all([
      stranger.ask('run.subscribe', { runId }),
      stranger.ask('run.subscribe', { runId: NOBODYS }),
      stranger.ask('chat.cancel', { runId }),
      stranger.ask('session.history', { sessionId }),
      stranger.ask('chat.send', { agent: agent.name, message: 'x', sessionId }),
    ]);
    expect(answers.map(({ error }) => error.code)).toEqual([1104, 1104, 1104, 1104, 1104]);
    expect((await stranger.payload('session.list')).list).toEqual([]);
    expect(stranger.events).toEqual([]);
  });

  it('through a hundred lost connections loses nothing and hears nothing twice', async () => {
    const words = Array.from({ length: 5_000 }, (_, index) => `w${index}`).join(' ');
    provider.script(text(words, { delayMs: 5 }));
    const steady = await connected();
    const { runId } = await send(steady);
    const seen: Json[] = [];
    const follow = async (isDone: (socket: SocketClient) => Promise<unknown>) => {
      const socket = await connectSocket(admin);
      await socket.payload('run.subscribe', { runId, after: seen.at(-1)?.seq ?? 0 });
      await isDone(socket);
      seen.push(...socket.events);
      socket.cut();
    };
    for (let reconnects = 0; reconnects < 100; reconnects += 1) {
      await follow(() => new Promise((resolve) => setTimeout(resolve, Math.random() * 25)));
    }
    expect(seen.at(-1)?.event).toBe('text-delta');
    await steady.payload('chat.cancel', { runId });
    await follow((socket) => socket.until(hasEnded(runId)));
    await steady.until(hasEnded(runId));
    expect(seen).toEqual(steady.eventsOf(runId));
  }, 60_000);
});

describe('a slow reader', () => {
  it('is closed with 1013 and held back meanwhile; others hear everything', async () => {
    const [slow, steady] = [await connected(), await connected()];
    const words = Array.from({ length: 300 }, () => 'x'.repeat(100_000)).join(' ');
    provider.script(text(words));
    slow.socket.pause();
    slow.raw(
      JSON.stringify({
        type: 'req',
        id: 'big',
        method: 'chat.send',
        params: { agent: agent.name, message: 'Hello' },
      }),
    );
    let runId = '';
    await expect
      .poll(async () => {
        const { list } = await admin.ask('/admin/netaclaw/run/page', { status: 'running' });
        runId = list[0]?.runId ?? '';
        return runId;
      })
      .not.toBe('');
    await steady.payload('run.subscribe', { runId });
    await steady.until(hasEnded(runId));
    const events = steady.eventsOf(runId);
    expect(seqsOf(events)).toEqual(upTo(events.length));
    await new Promise((resolve) => setTimeout(resolve, 14_000));
    slow.socket.resume();
    expect((await slow.closed).code).toBe(1013);
    expect(seqsOf(slow.events)).toEqual(upTo(slow.events.length));
    expect(slow.events.length).toBeLessThan(events.length);
  }, 60_000);
});

describe('rights', () => {
  it('are those of the routes, and are read anew at every message', async () => {
    const { user, client } = await addPerson(scenario.app, admin, {
      username: 'socket-viewer',
      role: 'viewer',
    });
    const viewer = await connected(client);
    const body = { agent: agent.name, message: 'Hello' };
    expect((await viewer.ask('chat.send', body)).error.code).toBe(1103);
    expect((await viewer.ask('session.list')).error.code).toBe(1103);
    expect((await viewer.ask('tools.effective', { agent: agent.name })).ok).toBe(true);
    const { version } = user;
    await admin.ask('/admin/base/user/update', { id: user.id, version, role: 'operator' });
    expect((await viewer.closed).code).toBe(4401);
    const operator = await connected(client);
    expect((await operator.ask('chat.send', body)).ok).toBe(true);
  });

  it('of a key are held to its agents', async () => {
    const socket = await connected(await makeKey(admin, { agents: [] }));
    expect((await socket.ask('chat.send', { agent: agent.name, message: 'x' })).error.code).toBe(
      1103,
    );
    expect((await socket.ask('tools.effective', { agent: agent.name })).error.code).toBe(1103);
  });

  const within = async (socket: SocketClient, change: () => Promise<unknown>) => {
    await change();
    const from = Date.now();
    const { code } = await socket.closed;
    return { code, inTime: Date.now() - from < 1_000 };
  };
  const closedInTime = { code: 4401, inTime: true };

  it('that end close the connection within a second: a key that is removed, in mid-run', async () => {
    const { id, key } = await admin.ask('/admin/netaclaw/apiKey/add', {
      name: 'socket-removed',
      agents: null,
    });
    const socket = await connected(new TestClient(admin.url, key));
    provider.script(stall);
    await send(socket);
    expect(
      await within(socket, () => admin.ask('/admin/netaclaw/apiKey/delete', { ids: [id] })),
    ).toEqual(closedInTime);
  });

  it('that end close the connection within a second: a password, a sign-out, a user', async () => {
    const person = { username: 'socket-leaver', role: 'operator' } as const;
    const { user, client } = await addPerson(scenario.app, admin, person);
    expect(
      await within(await connected(client), () =>
        admin.ask('/admin/base/user/update', { id: user.id, password: `${PASSWORD}!` }),
      ),
    ).toEqual(closedInTime);
    await admin.ask('/admin/base/user/update', { id: user.id, password: PASSWORD });
    const signIn = async () => {
      const { data } = await new TestClient(admin.url).post('/admin/base/open/login', {
        username: person.username,
        password: PASSWORD,
      });
      return new TestClient(admin.url, data.token);
    };
    const second = await signIn();
    expect(
      await within(await connected(second), () => second.ask('/admin/base/comm/logout')),
    ).toEqual(closedInTime);
    expect(
      await within(await connected(await signIn()), () =>
        admin.ask('/admin/base/user/delete', { ids: [user.id] }),
      ),
    ).toEqual(closedInTime);
  });
});

it('counts its connections in the metrics', async () => {
  const count = async () =>
    Number(/^netaclaw_sockets (\d+)$/m.exec((await admin.get('/metrics')).text)?.[1]);
  await expect.poll(count).toBe(0);
  await connected();
  expect(await count()).toBe(1);
});

it('lets a caller have only so many connections', async () => {
  const key = await makeKey(admin);
  for (let count = 0; count < 40; count += 1) await connected(key);
  const beyond = await unconnected();
  const { error } = await beyond.ask('connect', { token: key.token, protocol: 1 });
  expect(error).toMatchObject({ code: 1129, retryable: true });
  expect((await beyond.closed).code).toBe(4429);
  opened[0]?.cut();
  await expect
    .poll(() =>
      connected(key).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
});

it('says goodbye with 1001 when the server stops, after the last event of a run', async () => {
  const [idle, busy] = [await connected(), await connected()];
  holdTurn(text('Let go.'));
  const { runId } = await send(busy);
  await gate.entered;
  const ended = scenario.end();
  hasStopped = true;
  expect((await idle.closed).code).toBe(1001);
  gate.open();
  expect((await busy.closed).code).toBe(1001);
  expect(busy.eventsOf(runId).at(-1)?.event).toBe('run-end');
  await ended;
});
