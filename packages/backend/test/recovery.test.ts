import { afterAll, beforeAll, expect, it } from 'vitest';
import { Database } from '../src/modules/base/data/database.js';
import { NetaClawRunStoreService } from '../src/modules/netaclaw/service/run/run_store.js';
import { NetaClawRunRecoveryService } from '../src/modules/netaclaw/service/run/run_recovery.js';
import type { Json } from './client.js';
import { openChat } from './event_stream.js';
import { chat, makeAgent, startScenario, type Scenario } from './scenario.js';
import { completion, json, text } from './scripted_provider.js';

let scenario: Scenario;
let agent: Json;

beforeAll(async () => {
  scenario = await startScenario();
  agent = await makeAgent(scenario, { toolsets: [] });
});
afterAll(() => scenario.end());

const absurd = {
  ...completion({ content: 'ok' }, 'stop'),
  usage: { prompt_tokens: 1e300, completion_tokens: -5, total_tokens: 'x' },
};

it('an absurd usage costs nothing: the run is stored, can be read, and the session goes on', async () => {
  scenario.provider.script(json(absurd), text('And on.'));
  const first = await chat(scenario.admin, { agent: agent.name });
  expect(first).toMatchObject({ status: 'completed', usage: { inputTokens: 100_000_000 } });
  const read = await scenario.admin.get(`/api/netaclaw/runs/${first.runId}`);
  expect(read.data).toMatchObject({ status: 'completed', usage: { outputTokens: 0 } });
  const { sessionId } = first;
  const next = await chat(scenario.admin, { agent: agent.name, sessionId });
  expect(next).toMatchObject({ status: 'completed', reply: 'And on.' });
});

it('a run that this process could not store at its end does not hold its session for ever', async () => {
  const { runId, sessionId } = await chat(scenario.admin, { agent: agent.name });
  const { manager } = await scenario.app.get(Database);
  await manager.query(
    "UPDATE netaclaw_run SET status = 'running', activeSessionId = sessionId, startedAt = ? WHERE id = ?",
    ['2026-01-01 00:00:00.000', runId],
  );
  const busy = await scenario.admin.post('/api/netaclaw/chat', {
    agent: agent.name,
    message: 'Hello',
    sessionId,
  });
  expect(busy.status).toBe(409);
  await (await scenario.app.get(NetaClawRunRecoveryService)).look();
  const { data } = await scenario.admin.get(`/api/netaclaw/runs/${runId}`);
  expect(data.status).toBe('failed');
  const next = await chat(scenario.admin, { agent: agent.name, sessionId });
  expect(next.status).toBe('completed');
});

it('a run that went with its process tells how its members and its calls ended', async () => {
  const done = await chat(scenario.admin, { agent: agent.name });
  const { runId } = await chat(scenario.admin, { agent: agent.name });
  const call = { id: 'a', name: 'delegate_ann', arguments: '{}' };
  const begun = { type: 'delegate-start', toolCallId: 'a', member: 'ann' };
  const events = [
    { type: 'tool-call', ...call },
    { ...begun, childRunId: done.runId },
    { ...begun, childRunId: 'gone-too' },
  ].map((event, index) => ({ seq: index + 1, at: '2026-01-01T00:00:00.000Z', ...event }));
  const messages = [
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: '', toolCalls: [call] },
  ];
  const { manager } = await scenario.app.get(Database);
  await manager.query(
    "UPDATE netaclaw_run SET status = 'running', activeSessionId = sessionId, startedAt = ?, events = ?, messages = ? WHERE id = ?",
    ['2026-01-01 00:00:00.000', JSON.stringify(events), JSON.stringify(messages), runId],
  );
  await (await scenario.app.get(NetaClawRunRecoveryService)).look();
  const run = await scenario.admin
    .get(`/admin/netaclaw/run/info?id=${runId}`)
    .then(({ data }) => data);
  expect(run.toolCalls).toMatchObject([{ id: 'a', status: 'error' }]);
  expect(run.events.slice(3)).toMatchObject([
    { type: 'delegate-end', childRunId: done.runId, status: 'completed' },
    { type: 'delegate-end', childRunId: 'gone-too', status: 'failed' },
    {
      type: 'tool-result',
      id: 'a',
      status: 'error',
      preview: expect.stringMatching(/server stopped/),
    },
    { type: 'run-end', status: 'failed', error: expect.stringMatching(/server stopped/) },
  ]);
});

it('a run that cannot be stored is told as failed, and its session goes on', async () => {
  const store = await scenario.app.get(NetaClawRunStoreService);
  const finish = store.finish.bind(store);
  let refused = 0;
  store.finish = async (runId, finished) => {
    if (finished.messages.length > 1) {
      refused += 1;
      throw new Error('the packet is too big');
    }
    return finish(runId, finished);
  };
  const turn = await chat(scenario.admin, { agent: agent.name });
  store.finish = finish;
  expect(refused).toBe(2);
  expect(turn).toMatchObject({
    status: 'failed',
    error: expect.stringMatching(/ended as completed, but .* could not be stored/),
  });
  const { data } = await scenario.admin.get(`/api/netaclaw/runs/${turn.runId}`);
  expect(data).toMatchObject({ status: 'failed', error: turn.error });
  const { sessionId } = turn;
  expect((await chat(scenario.admin, { agent: agent.name, sessionId })).status).toBe('completed');
});

it('a run that is under way is left alone', async () => {
  scenario.provider.script(text('slow but sure', { delayMs: 150 }));
  const stream = await openChat(scenario.admin, { agent: agent.name });
  await stream.until('text-delta');
  const { runId } = stream.events[0]?.data ?? {};
  const { manager } = await scenario.app.get(Database);
  await manager.query('UPDATE netaclaw_run SET startedAt = ? WHERE id = ?', [
    '2026-01-01 00:00:00.000',
    runId,
  ]);
  await (await scenario.app.get(NetaClawRunRecoveryService)).look();
  await stream.ended;
  expect(stream.events.at(-1)?.data.status).toBe('completed');
});
