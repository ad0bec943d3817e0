import type { Logger } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../src/modules/base/data/database.js';
import { ChangeCounter } from '../src/modules/base/data/change_counter.js';
import { KeyUsage } from '../src/modules/base/auth/key_usage.js';
import { NetaClawNodeService } from '../src/modules/netaclaw/service/server/node_identity.js';
import { NetaClawToolSourcesService } from '../src/modules/netaclaw/service/tool/tool_sources.js';
import type { Json, TestClient } from './client.js';
import { streamChat } from './event_stream.js';
import { chat, makeAgent, makeKey, startScenario, type Scenario } from './scenario.js';
import { calls, text } from './scripted_provider.js';
import { publishedSkill } from './skill_scene.js';
import { testSource, testTool } from './test_tools.js';

const MOST = 5;

let scenario: Scenario;
let statements: string[] = [];
let one: Json;
let twenty: Json;

beforeAll(async () => {
  scenario = await startScenario();
  const { app, admin } = scenario;
  const tools = Array.from({ length: 19 }, (_, index) => testTool({ name: `more_${index}` }));
  const sources = await app.get(NetaClawToolSourcesService);
  sources.add(testSource('few', [testTool({ name: 'single', toolset: 'vision' })]));
  sources.add(testSource('many', [testTool({ name: 'first' }), ...tools]));
  await admin.ask('/admin/netaclaw/tool/sync');
  one = await makeAgent(scenario, { toolsets: ['vision'] });
  twenty = await makeAgent(scenario, { toolsets: ['document'] });
  // Signs of life and looks at other nodes come by the clock and belong to no turn.
  await (await app.get(NetaClawNodeService)).stop();
  (await app.get(ChangeCounter)).stop();
  const { source } = await app.get(Database);
  source.setOptions({ logging: ['query'], logger: counting });
});
afterAll(() => scenario?.end());

const ignore = (): void => {};
/**
 * Takes down every statement that TypeORM sends, those of raw queries too. BEGIN and COMMIT read and
 * write nothing: with them SQLite stores what came in one turn of the event loop at once.
 */
const counting: Logger = {
  logQuery: (query) => {
    if (query !== 'BEGIN' && query !== 'COMMIT') statements.push(query);
  },
  logQueryError: ignore,
  logQuerySlow: ignore,
  logSchemaBuild: ignore,
  logMigration: ignore,
  log: ignore,
};

interface Asked {
  client?: TestClient;
  sessionId?: string;
  streamed?: boolean;
}

/** One turn with one tool call; answers its statements and its session. */
async function turn(
  agent: Json,
  { client = scenario.admin, sessionId, streamed = false }: Asked = {},
) {
  const name = agent === one ? 'single' : 'first';
  scenario.provider.script(calls({ name }), text('Done.'));
  const body = { agent: agent.name, ...(sessionId ? { sessionId } : {}) };
  statements = [];
  const answer = streamed
    ? (await streamChat(client, body)).at(-1)?.data
    : await chat(client, body);
  const sent = [...statements];
  expect(answer.status).toBe('completed');
  // What comes behind a turn, like moving its session up in the list, is no part of it.
  await scenario.admin.get('/api/netaclaw/sessions');
  return { sent, sessionId: String(answer.sessionId) };
}

/** Sorted: those of one moment go side by side where the database takes them so. */
const verbs = (sent: readonly string[]): string[] =>
  sent.map((statement) => /^\s*(\w+)/.exec(statement)?.[1]?.toUpperCase() ?? '').toSorted();

/** Shows them when there are too many. */
function expectFew(sent: readonly string[]): void {
  expect(sent.length > MOST ? sent : []).toEqual([]);
}

describe('a turn with one tool call', () => {
  it('takes at most five statements in a new session, after the first of its kind', async () => {
    await turn(one);
    const { sent } = await turn(one);
    expectFew(sent);
    expect(verbs(sent)).toEqual(['INSERT', 'INSERT', 'INSERT', 'SELECT', 'UPDATE']);
  });

  it('takes at most five statements in an existing session', async () => {
    const { sessionId } = await turn(one);
    const { sent } = await turn(one, { sessionId });
    expectFew(sent);
    expect(verbs(sent)).toEqual(['INSERT', 'INSERT', 'SELECT', 'SELECT', 'UPDATE']);
  });

  it('takes as many with twenty tools as with one', async () => {
    const few = [await turn(one), await turn(one)][1];
    const many = [await turn(twenty), await turn(twenty)][1];
    expect(verbs(many?.sent ?? [])).toEqual(verbs(few?.sent ?? []));
    const fewAgain = await turn(one, few);
    const manyAgain = await turn(twenty, many);
    expect(verbs(manyAgain.sent)).toEqual(verbs(fewAgain.sent));
  });

  it('takes as many with skills, listed and activated, as without', async () => {
    const { admin } = scenario;
    await publishedSkill(scenario, 'pinned');
    await publishedSkill(scenario, 'listed', { front: 'allowed-tools: first\n' });
    const skilled = await makeAgent(scenario, {
      toolsets: ['document', 'skills'],
      skills: ['pinned', 'listed'],
      pinnedSkills: ['pinned'],
    });
    const plain = [await turn(twenty), await turn(twenty)][1];
    const { sent } = [await turn(skilled), await turn(skilled)][1] ?? { sent: [] };
    expect(verbs(sent)).toEqual(verbs(plain?.sent ?? []));
    const { skills } = await admin.ask('/admin/netaclaw/agent/previewPrompt', { id: skilled.id });
    expect(skills.active).toHaveLength(2);
  });

  it('takes as many after a long history as after a short one', async () => {
    const { sessionId } = await turn(twenty);
    const short = await turn(twenty, { sessionId });
    for (let round = 0; round < 30; round += 1) await turn(twenty, { sessionId });
    const long = await turn(twenty, { sessionId });
    expect(verbs(long.sent)).toEqual(verbs(short.sent));
    expectFew(long.sent);
  });

  it('takes as many for an API key, and when it is streamed', async () => {
    const client = await makeKey(scenario.admin);
    // The role of a key is another caller: what it may have is decided, and stored, once.
    await turn(one, { client });
    await (await scenario.app.get(KeyUsage)).flush();
    const whole = await turn(one);
    const streamed = await turn(one, { streamed: true });
    const byKey = await turn(one, { client });
    expect([streamed, byKey].map(({ sent }) => verbs(sent))).toEqual([
      verbs(whole.sent),
      verbs(whole.sent),
    ]);
  });

  it('takes as many by the OpenAI-compatible API', async () => {
    const { admin, provider } = scenario;
    const complete = async (stream: boolean): Promise<string[]> => {
      provider.script(calls({ name: 'single' }), text('Done.'));
      const messages = [{ role: 'user', content: 'Hello' }];
      statements = [];
      const answer = await admin.post('/v1/chat/completions', {
        model: one.name,
        messages,
        stream,
      });
      expect(answer.status).toBe(200);
      return [...statements];
    };
    const { sent } = await turn(one);
    expect(verbs(await complete(false))).toEqual(verbs(sent));
    expect(verbs(await complete(true))).toEqual(verbs(sent));
  });

  it('takes few more, and once, after governance has changed', async () => {
    const { admin } = scenario;
    const { id } = one;
    const { version } = (await admin.get(`/admin/netaclaw/agent/info?id=${id}`)).data;
    await admin.ask('/admin/netaclaw/agent/update', { id, version, label: 'Changed' });
    const first = await turn(one);
    const second = await turn(one);
    expect(first.sent.length).toBeLessThanOrEqual(MOST + 5);
    expect(second.sent.length).toBeLessThanOrEqual(MOST);
  });

  it('takes no more where many run at once', async () => {
    scenario.provider.otherwise(text('Done.'));
    statements = [];
    const turns = Array.from({ length: 16 }, () => chat(scenario.admin, { agent: twenty.name }));
    await Promise.all(turns);
    expect(statements.length).toBeLessThanOrEqual(16 * MOST);
  });
});
