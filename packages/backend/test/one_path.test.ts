import { afterAll, beforeAll, expect, it } from 'vitest';
import { NetaClawToolSourcesService } from '../src/modules/netaclaw/service/tool/tool_sources.js';
import { TestClient, type Json } from './client.js';
import { streamChat } from './event_stream.js';
import {
  expected,
  knownTool,
  randomDeclarations,
  randomFrom,
  randomSituation,
  type KnownTool,
  type Situation,
} from './one_path.js';
import { addPerson } from './people.js';
import {
  chat,
  makeAgent,
  startScenario,
  updateTool,
  wireTools,
  type Scenario,
} from './scenario.js';
import { calls, text } from './scripted_provider.js';
import { connectSocket, hasEnded, type SocketClient } from './socket_client.js';
import { testSource } from './test_tools.js';

// The promise of the product: for the same facts every path offers the model the same tools, and
// nothing else can be called on any. What is compared is what went over the wire to the model.

/** Repeat a failure by `ONE_PATH_SEED=<the number it tells>`. */
const SEED = Number(process.env.ONE_PATH_SEED ?? 20261201);
/** The number of situations; on MySQL fewer, for it decides nothing. */
const SITUATIONS = process.env.TEST_DATABASE_SERVER ? 200 : 2000;
const IN_A_ROUND = 40;
const AT_ONCE = 8;
/** Every so many situations the model also calls a name outside the set. */
const REFUSED_EVERY = 4;

const random = randomFrom(SEED);
const members = ['delegate_one', 'delegate_two'];

let scenario: Scenario;
let clients: Record<Situation['caller'], TestClient>;
let sockets: Record<Situation['caller'], SocketClient>;
let tools: KnownTool[];
let helpers: Json[];
let executed: string[] = [];

beforeAll(async () => {
  scenario = await startScenario({ CHAT_RATE_LIMIT: '1000000', SOCKETS_PER_CALLER: '100' });
  const { app, admin } = scenario;
  const declarations = randomDeclarations(random, 30);
  const definitions = declarations.map(({ scene, ...schema }) => ({
    schema: scene === null ? schema : { ...schema, scene },
    create: () => async () => {
      executed.push(schema.name);
      return { status: 'ok' as const, content: 'done' };
    },
  }));
  (await app.get(NetaClawToolSourcesService)).add(testSource('odd', definitions));
  await admin.ask('/admin/netaclaw/tool/sync');
  const content = '---\nname: tidy\ndescription: Tidies notes.\n---\n\nTidy them.\n';
  const { id, version } = await admin.ask('/admin/netaclaw/skill/add', { content });
  const approval = { id, version, decision: 'approve' };
  const approved = await admin.ask('/admin/netaclaw/skill/review', approval);
  await admin.ask('/admin/netaclaw/skill/publish', { id, version: approved.version });
  const { key } = await admin.ask('/admin/netaclaw/apiKey/add', { name: 'paths', agents: null });
  const operator = await addPerson(app, admin, { username: 'ops', role: 'operator' });
  clients = { admin, operator: operator.client, client: new TestClient(admin.url, key) };
  sockets = {
    admin: await connectSocket(clients.admin),
    operator: await connectSocket(clients.operator),
    client: await connectSocket(clients.client),
  };
  helpers = [await makeAgent(scenario), await makeAgent(scenario)];
  scenario.provider.otherwise(answer);
}, 60_000);
afterAll(async () => {
  for (const socket of Object.values(sockets ?? {})) socket.cut();
  await scenario?.end();
});

/** Requests by the mark in the words they answer; what is compared later, nothing is kept beyond it. */
const wire = new Map<string, Json[]>();
const MARK = /<<(.+?)>>/;
const lastUserText = ({ body }: Json): string =>
  String(body.messages.findLast(({ role }: Json) => role === 'user')?.content);

/**
 * The model. It keeps each request under its mark, and plays what the mark asks for: `via=<tool>`
 * delegates the words on to a member, `call=<name>` calls that name once.
 */
const answer: Parameters<Scenario['provider']['otherwise']>[0] = (response, request) => {
  const said = lastUserText(request);
  const [, mark = ''] = MARK.exec(said) ?? [];
  const isDelegator = String(request.body.messages?.[0]?.content).includes('I only delegate.');
  const hasResult = request.body.messages?.at(-1)?.role === 'tool';
  if (!isDelegator) wire.set(mark, [...(wire.get(mark) ?? []), request]);
  const [, via] = /via=(\S+)/.exec(said) ?? [];
  const [, name] = /call=(\S+)/.exec(said) ?? [];
  if (isDelegator && via && !hasResult) {
    const task = said.replace(/via=\S+/, '');
    return calls({ name: via, arguments: JSON.stringify({ task }) })(response, request);
  }
  if (!isDelegator && name && !hasResult) return calls({ name })(response, request);
  return text('Done.')(response, request);
};

/** A situation with everything that it needs in the running product. */
interface Stage {
  number: number;
  situation: Situation;
  agent: Json;
  /** The crew it leads or works in; null: alone. */
  crew: Json | null;
  /** A name that the agent does not have. */
  outside: string | null;
}

const agentFields = ({ agent }: Situation): Json => ({
  toolsets: agent.toolsets,
  tools: { disabled: agent.disabled },
  capability: agent.capability,
  memory: { enabled: agent.memory },
  skills: agent.skills ? ['tidy'] : [],
  runtime: agent.runtime,
});

/** Agents and crews of a round, made while nobody asks. */
async function setTheStage(from: number): Promise<Stage[]> {
  const { admin } = scenario;
  const names = tools.filter(({ canDisable }) => canDisable).map(({ name }) => name);
  const plans = Array.from({ length: IN_A_ROUND }, (_, at) => ({
    number: from + at,
    situation: randomSituation(random, { names, members }),
  }));
  const stages: Stage[] = [];
  for (const { number, situation } of plans) {
    const agent = await makeAgent(scenario, agentFields(situation));
    // Outside on every path, those included that cannot deny.
    const { names: offered } = expectedOf({ ...situation, denied: [] });
    const others = [...tools.map(({ name }) => name), 'no_such_tool', 'delegate_nobody'].filter(
      (name) => !offered.includes(name),
    );
    const outside = number % REFUSED_EVERY === 0 ? random.pick(others) : null;
    stages.push({ number, situation, agent, crew: null, outside });
  }
  const subs = stages.filter(({ situation }) => situation.seat === 'sub');
  const chief = await makeAgent(scenario, { systemPrompt: 'I only delegate.', toolsets: [] });
  const together = subs.map(({ agent }) => ({ agentId: agent.id, alias: `sub_${agent.id}` }));
  const crew = { name: `round-${from}`, masterAgentId: chief.id, members: together };
  const shared = subs.length > 0 ? await admin.ask('/admin/netaclaw/crew/add', crew) : null;
  for (const stage of stages) {
    if (stage.situation.seat === 'sub') stage.crew = shared;
    if (stage.situation.seat !== 'master') continue;
    stage.crew = await admin.ask('/admin/netaclaw/crew/add', {
      name: `led-${stage.number}`,
      masterAgentId: stage.agent.id,
      members: helpers.map(({ id }, at) => ({ agentId: id, alias: ['one', 'two'][at] })),
    });
  }
  return stages;
}

const expectedOf = (situation: Situation) => expected(situation, { tools, delegates: members });

/** Some rows are turned on or off and moved, as an operator does. */
async function changeRows(): Promise<void> {
  for (const { name, canDisable, status } of random.some(tools, 0.08)) {
    const sort = random.pick([-10, -1, 0, 0, 5]);
    await updateTool(scenario.admin, name, canDisable ? { sort, status: 1 - status } : { sort });
  }
  const rows: Json[] = await scenario.admin.ask('/admin/netaclaw/tool/all');
  const scenes = new Map(tools.map((tool) => [tool.name, tool]));
  tools = rows.map((row) => ({ ...knownTool(row), ...codeFacts(scenes.get(row.name)) }));
}
const codeFacts = (known: KnownTool | undefined) =>
  known ? { scene: known.scene, adminOnly: known.adminOnly } : {};

type Path = 'rest' | 'sse' | 'socket' | 'open_ai';
const PATHS: readonly Path[] = ['rest', 'sse', 'socket', 'open_ai'];

const markOf = ({ number }: Stage, path: string): string => `${number}.${path}`;

/** One turn by one path, marked so that its requests at the model are found again. */
async function ask(stage: Stage, path: Path, denyTools: readonly string[]): Promise<void> {
  const { situation, agent, crew, outside } = stage;
  const via = situation.seat === 'sub' ? `via=delegate_sub_${agent.id} ` : '';
  const call = outside === null ? '' : `call=${outside} `;
  const message = `${via}${call}<<${markOf(stage, path)}>>`;
  const addressee = crew === null ? { agent: agent.name } : { crew: crew.name };
  const client = clients[situation.caller];
  const body = { ...addressee, message, denyTools };
  switch (path) {
    case 'rest':
      await chat(client, body);
      return;
    case 'sse':
      await streamChat(client, body);
      return;
    case 'socket': {
      const socket = sockets[situation.caller];
      const { runId } = await socket.payload('chat.send', body);
      await socket.until(hasEnded(runId));
      return;
    }
    case 'open_ai': {
      const model = crew === null ? agent.name : `crew:${crew.name}`;
      const messages = [{ role: 'user', content: message }];
      const answered = await client.post('/v1/chat/completions', { model, messages });
      expect(answered.status).toBe(200);
      return;
    }
    default:
      path satisfies never;
  }
}

/** The tools of the preview: as the caller would be, but that an API key cannot ask for one. */
async function preview({ situation, agent, crew }: Stage): Promise<Json> {
  const seat = crew === null ? {} : { crewId: crew.id, crewRole: situation.seat };
  const client = clients[situation.caller === 'client' ? 'operator' : situation.caller];
  return client.ask('/admin/netaclaw/agent/previewPrompt', { id: agent.id, ...seat });
}

/** Everything that went wrong with a stage, each with how it can be seen again. */
async function problemsOf(stage: Stage): Promise<string[]> {
  const { situation, outside, number } = stage;
  const problems: string[] = [];
  const note = (what: string, is: unknown, should: unknown) => {
    if (JSON.stringify(is) === JSON.stringify(should)) return;
    const facts = JSON.stringify({ situation, is, should });
    problems.push(`ONE_PATH_SEED=${SEED}, situation ${number}, ${what}: ${facts}`);
  };
  const open = { ...situation, denied: [] };
  for (const path of PATHS) {
    // The OpenAI-compatible API has no words for what a request denies.
    const asked = path === 'open_ai' ? open : situation;
    // A key that denies its way to a member would never reach it.
    const denied = asked.denied.filter((name) => !isOwnDelegate(stage, name));
    await ask(stage, path, denied);
    const should = expectedOf({ ...asked, denied }).names;
    const requests = wire.get(markOf(stage, path)) ?? [];
    wire.delete(markOf(stage, path));
    note(`${path}: requests`, requests.length, outside === null ? 1 : 2);
    for (const request of requests) note(`${path}: the wire`, wireTools(request), should);
    if (outside === null) continue;
    const told = String(requests.at(-1)?.body.messages.at(-1)?.content);
    note(
      `${path}: a call to ${outside}`,
      /is not available here|There is no tool/.test(told),
      true,
    );
  }
  const shown = await preview(stage);
  const asked = { ...open, caller: situation.caller === 'client' ? 'operator' : situation.caller };
  const should = expectedOf(asked as Situation);
  note('preview', shown.toolNames, should.names);
  const reasons = shown.disabledReasons.map(({ name, reason }: Json) => [name, reason]);
  note('reasons', sorted(Object.fromEntries(reasons)), sorted(should.reasons));
  return problems;
}

const isOwnDelegate = ({ agent }: Stage, name: string): boolean =>
  name === `delegate_sub_${agent.id}`;
const sorted = (values: Record<string, string>) =>
  Object.entries(values).toSorted(([a], [b]) => (a < b ? -1 : 1));

it(`in ${SITUATIONS} random situations every path offers the same tools, and refuses every other`, async () => {
  const rows: Json[] = await scenario.admin.ask('/admin/netaclaw/tool/all');
  const infos = rows.map(({ id }) => scenario.admin.get(`/admin/netaclaw/tool/info?id=${id}`));
  tools = (await Promise.all(infos)).map(({ data }) => knownTool(data));
  const problems: string[] = [];
  const seen = { alone: 0, master: 0, sub: 0 };
  for (let from = 0; from < SITUATIONS; from += IN_A_ROUND) {
    await changeRows();
    const stages = await setTheStage(from);
    for (let at = 0; at < stages.length; at += AT_ONCE) {
      const found = await Promise.all(stages.slice(at, at + AT_ONCE).map(problemsOf));
      problems.push(...found.flat());
    }
    for (const { situation } of stages) seen[situation.seat] += 1;
    expect(problems.slice(0, 3)).toEqual([]);
  }
  expect(executed).toEqual([]);
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(SITUATIONS / 8);
}, 600_000);
