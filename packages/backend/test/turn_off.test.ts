import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { Database } from '../src/modules/base/data/database.js';
import { NetaClawToolSourcesService } from '../src/modules/netaclaw/service/tool/tool_sources.js';
import { onMysql } from './app.js';
import type { Json } from './client.js';
import { makeCrew, makePlayer } from './crew_scene.js';
import { streamChat } from './event_stream.js';
import {
  chat,
  startScenario,
  updateTool,
  wireSystem,
  wireTools,
  type Scenario,
} from './scenario.js';
import { calls, text } from './scripted_provider.js';
import { connectSocket, hasEnded } from './socket_client.js';
import { makeGate, testSource, testTool } from './test_tools.js';

// A tool that is turned off is gone from every conversation under way, on every path, at its next model
// turn and within a second; a remembered call of it is refused.

const SECOND = 1000;

let scenario: Scenario;
let worker: Json;
let led: { crew: Json; chief: Json };
let working: Json;
let gate = makeGate();
let executed = 0;

beforeAll(async () => {
  scenario = await startScenario();
  const sources = await scenario.app.get(NetaClawToolSourcesService);
  const held = testTool({ name: 'held' }, () => gate.wait().then(() => 'let go'));
  const victim = testTool({ name: 'victim' }, () => `ran ${(executed += 1)} times`);
  sources.add(testSource('turned', [held, victim]));
  await scenario.admin.ask('/admin/netaclaw/tool/sync');
  worker = await makePlayer(scenario, { name: 'worker', toolsets: ['document'] });
  led = await makeCrew(scenario, { helper: await makePlayer(scenario) });
  await update(led.chief, { toolsets: ['document'] });
  ({ crew: working } = await makeCrew(scenario, { worker }));
  scenario.provider.otherwise(answer);
});
afterAll(() => scenario?.end());
beforeEach(async () => {
  gate = makeGate();
  executed = 0;
  await updateTool(scenario.admin, 'victim', { status: 1 });
});

const update = ({ id, version }: Json, fields: Json): Promise<Json> =>
  scenario.admin.ask('/admin/netaclaw/agent/update', { id, version, ...fields });

/** Whoever has `held` calls it, then the tool that is gone by then; a master without it delegates. */
const answer: Parameters<Scenario['provider']['otherwise']>[0] = (response, request) => {
  const names = wireTools(request);
  const results = request.body.messages?.filter(({ role }) => role === 'tool').length ?? 0;
  const delegate = names.find((name) => name === 'delegate_worker');
  if (delegate && results === 0) {
    const task = JSON.stringify({ task: 'Work.' });
    return calls({ name: delegate, arguments: task })(response, request);
  }
  const next = delegate ? undefined : ['held', 'victim'][results];
  return (next === undefined ? text('Done.') : calls({ name: next }))(response, request);
};

/** The requests of the agent that works, from the `from`th on. */
const requestsOf = (name: string, from: number): Json[] =>
  scenario.provider.requests
    .slice(from)
    .filter((request) => wireSystem(request).includes(`I am agent ${name}.`));

/** By each path a turn that is answered whole when it resolves, and who works in it. */
const paths: [string, () => { turn: Promise<unknown>; who: string }][] = [
  ['REST', () => ({ turn: chat(scenario.admin, { agent: worker.name }), who: 'worker' })],
  ['SSE', () => ({ turn: streamChat(scenario.admin, { agent: worker.name }), who: 'worker' })],
  ['a socket', () => ({ turn: bySocket({ agent: worker.name }), who: 'worker' })],
  ['the OpenAI-compatible API', () => ({ turn: byOpenAi(worker.name), who: 'worker' })],
  [
    "a crew's master",
    () => ({ turn: chat(scenario.admin, { crew: led.crew.name }), who: led.chief.name }),
  ],
  [
    "a crew's member",
    () => ({ turn: chat(scenario.admin, { crew: working.name }), who: 'worker' }),
  ],
  [
    "a crew's member, over a socket",
    () => ({ turn: bySocket({ crew: working.name }), who: 'worker' }),
  ],
];

async function bySocket(body: Json): Promise<void> {
  const socket = await connectSocket(scenario.admin);
  const { runId } = await socket.payload('chat.send', { message: 'Hello', ...body });
  await socket.until(hasEnded(runId));
  socket.cut();
}

async function byOpenAi(model: string): Promise<void> {
  const messages = [{ role: 'user', content: 'Hello' }];
  const { status } = await scenario.admin.post('/v1/chat/completions', { model, messages });
  expect(status).toBe(200);
}

/** Turns the tool off; several nodes share a database on MySQL alone. */
const ways: [string, () => Promise<unknown>][] = [
  ['here', () => updateTool(scenario.admin, 'victim', { status: 0 })],
  ...(onMysql ? [['by another node', byAnotherNode] as [string, () => Promise<unknown>]] : []),
];

/** What another node writes; nobody tells this one, which has a second to find out. */
async function byAnotherNode(): Promise<void> {
  const { manager } = await scenario.app.get(Database);
  await manager.query("UPDATE netaclaw_tool SET status = 0 WHERE name = 'victim'");
  await manager.query('UPDATE base_counter SET value = value + 1');
  await new Promise((resolve) => setTimeout(resolve, SECOND));
}

const cases = ways.flatMap(([way, turnOff]) =>
  paths.map(([path, begin]) => ({ path, way, begin, turnOff })),
);

it.each(cases)(
  'turned off $way it is gone at the next model turn of a run over $path',
  async ({ begin, turnOff }) => {
    const from = scenario.provider.requests.length;
    const { turn, who } = begin();
    await gate.entered;
    await turnOff();
    gate.open();
    await turn;
    const [first, next, last] = requestsOf(who, from);
    expect([first, next].map((request) => wireTools(request ?? {}).includes('victim'))).toEqual([
      true,
      false,
    ]);
    const told = String(last?.body.messages.at(-1)?.content);
    expect(told).toContain('victim is not available here (global_disabled)');
    expect(executed).toBe(0);
  },
);
