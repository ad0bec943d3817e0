import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Json, TestClient } from './client.js';
import { childrenOf, makeCrew, makePlayer, master, play } from './crew_scene.js';
import { addPerson } from './people.js';
import { makeKey, startScenario, wireSystem, wireTools, type Scenario } from './scenario.js';
import { stall, text } from './scripted_provider.js';
import { connectSocket, hasEnded, type SocketClient } from './socket_client.js';

let scenario: Scenario;
let press: { crew: Json; chief: Json };
const opened: SocketClient[] = [];

beforeAll(async () => {
  scenario = await startScenario();
  const ann = await makePlayer(scenario, { name: 'ann', toolsets: ['planning'] });
  const bob = await makePlayer(scenario, { name: 'bob', toolsets: ['planning'] });
  press = await makeCrew(scenario, { ann, bob });
});
afterAll(() => scenario?.end());
beforeEach(() => act());
afterEach(() => {
  for (const socket of opened.splice(0)) socket.cut();
});

const tasks: [string, string][] = [
  ['ann', 'Look at A.'],
  ['bob', 'Look at B.'],
];
function act(members: Json = { ann: () => text('A.'), bob: () => text('B.') }): void {
  scenario.provider.otherwise(play({ ...members, [press.chief.name]: master(tasks) }));
}
async function connected(client: TestClient = scenario.admin): Promise<SocketClient> {
  const socket = await connectSocket(client);
  opened.push(socket);
  return socket;
}
const send = (socket: SocketClient, fields: Json = {}): Promise<Json> =>
  socket.payload('chat.send', { crew: press.crew.name, message: 'Go.', ...fields });
const startsOf = (socket: SocketClient, runId: string): Json[] =>
  socket.eventsOf(runId).filter(({ event }) => event === 'delegate-start');

describe('a crew over a socket', () => {
  it("tells its members' runs, and each can be followed to its end by its owner", async () => {
    const socket = await connected();
    const { runId } = await send(socket);
    await socket.until(hasEnded(runId));
    const starts = startsOf(socket, runId).map(({ payload }) => payload);
    expect(starts.map(({ member }) => member).toSorted()).toEqual(['ann', 'bob']);
    for (const { childRunId } of starts) {
      await socket.payload('run.subscribe', { runId: childRunId });
      await socket.until(hasEnded(childRunId));
      expect(socket.eventsOf(childRunId).at(-1)?.payload.status).toBe('completed');
    }
  });

  it("is nobody else's to follow, down to its members", async () => {
    const socket = await connected();
    const { runId } = await send(socket);
    await socket.until(hasEnded(runId));
    const child = startsOf(socket, runId)[0]?.payload.childRunId;
    const { client } = await addPerson(scenario.app, scenario.admin, {
      username: 'eve',
      role: 'operator',
    });
    const stranger = await connected(client);
    for (const id of [runId, child]) {
      expect((await stranger.ask('run.subscribe', { runId: id })).error.code).toBe(1104);
      expect((await stranger.ask('chat.cancel', { runId: id })).error.code).toBe(1104);
    }
    expect(stranger.events).toEqual([]);
  });

  it('is stopped with every member', async () => {
    act({ ann: () => stall, bob: () => stall });
    const socket = await connected();
    const { runId } = await send(socket);
    await socket.until(() => startsOf(socket, runId).length === 2);
    await socket.payload('chat.cancel', { runId });
    await socket.until(hasEnded(runId));
    const children = await childrenOf(scenario, runId);
    expect(children.map(({ status }) => status)).toEqual(['cancelled', 'cancelled']);
  });

  it('goes without what the caller denied, down to its members', async () => {
    const from = scenario.provider.requests.length;
    const socket = await connected();
    const { runId } = await send(socket, { denyTools: ['clarify', 'delegate_bob'] });
    await socket.until(hasEnded(runId));
    const asked = (name: string) =>
      scenario.provider.requests
        .slice(from)
        .filter((one) => wireSystem(one).includes(`I am agent ${name}.`));
    expect(asked(press.chief.name).map(wireTools)[0]).toEqual(['delegate_ann']);
    expect(asked('ann').map(wireTools)).toEqual([['todo']]);
    expect(asked('bob')).toEqual([]);
  });

  it('has the tools that tools.effective names of its master', async () => {
    const socket = await connected();
    const { toolNames } = await socket.payload('tools.effective', { crew: press.crew.name });
    expect(toolNames).toEqual(['delegate_ann', 'delegate_bob']);
    const from = scenario.provider.requests.length;
    const { runId } = await send(socket);
    await socket.until(hasEnded(runId));
    expect(wireTools(scenario.provider.requests[from] ?? {})).toEqual(toolNames);
  });

  it('is refused by name where there is none, and to a key that may not use it', async () => {
    const socket = await connected();
    for (const method of ['chat.send', 'tools.effective']) {
      const params = method === 'chat.send' ? { message: 'Go.' } : {};
      const missing = await socket.ask(method, { crew: 'nobody', ...params });
      expect([missing.error.code, missing.error.details[0].path]).toEqual([1002, 'crew']);
      const both = await socket.ask(method, { crew: 'a', agent: 'b', ...params });
      expect(both.error.code).toBe(1002);
      expect((await socket.ask(method, params)).error.code).toBe(1002);
    }
    const keyed = await connected(await makeKey(scenario.admin, { agents: ['ann'] }));
    const refused = await keyed.ask('chat.send', { crew: press.crew.name, message: 'Go.' });
    expect(refused.error.code).toBe(1103);
  });
});

it('the list of runs shows those of masters without those of members', async () => {
  const socket = await connected();
  const { runId } = await send(socket);
  await socket.until(hasEnded(runId));
  const listed = async (roots: number) =>
    (
      await scenario.admin.ask('/admin/netaclaw/run/page', {
        crew: press.crew.name,
        roots,
        size: 200,
      })
    ).list;
  const roots: Json[] = await listed(1);
  expect(roots.map((run) => run.runId)).toContain(runId);
  expect(roots.filter((run) => run.parentRunId !== null)).toEqual([]);
  expect((await listed(0)).length).toBeGreaterThan(roots.length);
});
