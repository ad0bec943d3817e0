import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../src/modules/base/data/database.js';
import { SUMMARY_INSTRUCTION } from '../src/modules/netaclaw/runtime/summary.js';
import type { Json } from './client.js';
import { streamChat } from './event_stream.js';
import { chat, makeAgent, makeChannel, startScenario, type Scenario } from './scenario.js';
import { calls, failure, text, type Reply } from './scripted_provider.js';

let scenario: Scenario;
let agent: Json;
let sessionId: string;

beforeAll(async () => {
  scenario = await startScenario();
});
afterAll(() => scenario.end());

const messagesOf = (request: Json): Json[] => request?.body.messages ?? [];
const isSummary = (request: Json): boolean =>
  messagesOf(request)[0]?.content === SUMMARY_INSTRUCTION;

/** Answers requests for notes with `notes`, and everything else with the number of its messages. */
const withNotes =
  (notes: Reply): Reply =>
  (response, request) =>
    isSummary(request)
      ? notes(response, request)
      : text(`${messagesOf(request).length} messages`)(response, request);

const say = async (message: string): Promise<Json> => {
  const turn = await chat(scenario.admin, { agent: agent.name, message, sessionId });
  ({ sessionId } = turn);
  return turn;
};
const requests = (): Json[] => [...scenario.provider.requests];

describe('notes on older turns', () => {
  beforeEach(async () => {
    agent = await makeAgent(scenario, {
      toolsets: [],
      limits: { maxContextMessages: 8, summarizeHistory: true },
    });
    ({ sessionId } = await chat(scenario.admin, { agent: agent.name, message: 'one' }));
  });

  const fill = async () => {
    for (const message of ['two', 'three', 'four']) await say(message);
  };

  it('are made by the model before the older turns go, and shown from then on', async () => {
    scenario.provider.otherwise(withNotes(text('The user counts.')));
    await fill();
    const before = requests().length;
    const turn = await say('five');
    const [summary, main, ...more] = requests().slice(before);
    expect(more).toEqual([]);
    expect(isSummary(summary)).toBe(true);
    expect(messagesOf(summary)[1].content).toMatch(/User: one\n[^]*User: two/);
    expect(messagesOf(main).map(({ content }) => content)).toEqual([
      expect.any(String),
      expect.stringMatching(/^\[Notes on the earlier .*\nThe user counts\.$/),
      'three',
      expect.any(String),
      'four',
      expect.any(String),
      'five',
    ]);
    expect(turn.usage.totalTokens).toBe(30);
    await say('six');
    const last = requests().at(-1);
    expect(isSummary(requests().at(-2))).toBe(false);
    expect(messagesOf(last)[1].content).toMatch(/The user counts\./);
    expect(messagesOf(last)[2].content).toBe('three');
  });

  it('go into the next notes', async () => {
    scenario.provider.otherwise(withNotes(text('The user counts.')));
    await fill();
    for (const message of ['five', 'six', 'seven', 'eight', 'nine']) await say(message);
    const second = requests().findLast(isSummary);
    expect(messagesOf(second)[1].content).toMatch(/^# Earlier notes\nThe user counts\./);
    expect(messagesOf(second)[1].content).not.toMatch(/User: one/);
  });

  it('are marked in the run: what they cost and why', async () => {
    scenario.provider.otherwise(withNotes(text('Notes.')));
    await fill();
    const events = await streamChat(scenario.admin, {
      agent: agent.name,
      message: 'five',
      sessionId,
    });
    const usage = events.filter(({ event }) => event === 'usage').map(({ data }) => data.purpose);
    expect(usage).toEqual(['summary', undefined]);
  });

  it('that cannot be made cost no turn: the older part is cut', async () => {
    scenario.provider.otherwise(withNotes(failure(400, 'no notes today')));
    await fill();
    const turn = await say('five');
    expect(turn.status).toBe('completed');
    expect(messagesOf(requests().at(-1))[1].content).toBe('two');
    scenario.provider.otherwise(withNotes(text('Made later.')));
    await say('six');
    expect(messagesOf(requests().at(-1))[1].content).toMatch(/Made later\./);
  });

  it('are neither made nor shown when the agent keeps none', async () => {
    scenario.provider.otherwise(withNotes(text('Secretly kept.')));
    await fill();
    await say('five');
    const { id, version } = agent;
    await scenario.admin.ask('/admin/netaclaw/agent/update', {
      id,
      version,
      limits: { maxContextMessages: 8 },
    });
    const before = requests().length;
    await say('six');
    const [main] = requests().slice(before);
    expect(JSON.stringify(messagesOf(main))).not.toMatch(/Secretly/);
    expect(messagesOf(main)[1].content).toBe('three');
  });
});

describe('a window of tokens', () => {
  it('is kept by the tokenizer of the model, prompt and tools counted in', async () => {
    const channel = await makeChannel(scenario.admin, {
      baseUrl: scenario.provider.baseUrl,
      model: 'gpt-4o',
      contextWindow: 4096,
      maxOutputTokens: 1000,
    });
    agent = await makeAgent({ admin: scenario.admin, channel }, { toolsets: [] });
    scenario.provider.otherwise(text('Noted.'));
    // "word " is one token for this tokenizer, and 1.25 for the estimate.
    ({ sessionId } = await chat(scenario.admin, {
      agent: agent.name,
      message: 'word '.repeat(1000),
    }));
    await say('word '.repeat(1000));
    const both = messagesOf(requests().at(-1));
    expect(both.filter(({ role }) => role === 'user')).toHaveLength(2);
    await say('word '.repeat(1000));
    const cut = messagesOf(requests().at(-1));
    expect(cut.filter(({ role }) => role === 'user')).toHaveLength(2);
    expect(cut[0].role).toBe('system');
  });

  it('keeps a call and its result together', async () => {
    const channel = await makeChannel(scenario.admin, {
      baseUrl: scenario.provider.baseUrl,
      model: 'gpt-4o',
      contextWindow: 4096,
      maxOutputTokens: 1000,
    });
    agent = await makeAgent({ admin: scenario.admin, channel }, { toolsets: ['planning'] });
    const items = JSON.stringify({ items: [{ text: 'word '.repeat(500), status: 'pending' }] });
    scenario.provider.script(calls({ name: 'todo', arguments: items }), text('Planned.'));
    ({ sessionId } = await chat(scenario.admin, { agent: agent.name }));
    for (let turn = 0; turn < 4; turn += 1) {
      await say('word '.repeat(500));
      const roles = messagesOf(requests().at(-1)).map(({ role }) => role);
      const called = messagesOf(requests().at(-1)).some(({ tool_calls: made }) => made);
      expect(roles.includes('tool')).toBe(called);
    }
  });
});

describe('a conversation that is kept in memory', () => {
  beforeEach(async () => {
    scenario.provider.otherwise(text('Noted.'));
    agent = await makeAgent(scenario, { toolsets: [] });
    ({ sessionId } = await chat(scenario.admin, { agent: agent.name, message: 'one' }));
    await say('two');
    await say('three');
  });
  const usersSaid = (): string[] =>
    messagesOf(requests().at(-1)).flatMap(({ role, content }) =>
      role === 'user' ? [content] : [],
    );

  it('is the one that is stored', async () => {
    await say('four');
    expect(usersSaid()).toEqual(['one', 'two', 'three', 'four']);
  });

  it('takes in the turn of a node whose clock is behind', async () => {
    const { manager } = await scenario.app.get(Database);
    await manager.query(
      "UPDATE netaclaw_run SET id = CONCAT('0000', SUBSTR(id, 5)) WHERE sessionId = ? AND messages LIKE '%three%'",
      [sessionId],
    );
    await say('four');
    expect(usersSaid()).toEqual(['three', 'one', 'two', 'four']);
  });

  it('is gone with its session', async () => {
    await scenario.admin.delete(`/api/netaclaw/sessions/${sessionId}`);
    const answer = await scenario.admin.post('/api/netaclaw/chat', {
      agent: agent.name,
      message: 'five',
      sessionId,
    });
    expect(answer.status).toBe(404);
  });
});
