import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Json } from './client.js';
import { streamChat } from './event_stream.js';
import { chat, makeAgent, makeChannel, startScenario, type Scenario } from './scenario.js';
import {
  failure,
  startScriptedProvider,
  text,
  type ScriptedProvider,
} from './scripted_provider.js';

let scenario: Scenario;
let broken: ScriptedProvider;
let channel: Json;
let agent: Json;

beforeAll(async () => {
  scenario = await startScenario({ EGRESS_ALLOW: '127.0.0.1' });
  broken = await startScriptedProvider();
  // A refusal that asks for more patience than there is: one request per call.
  broken.otherwise(failure(503, 'on fire', { 'retry-after': '3600' }));
});
afterAll(async () => {
  await broken.close();
  await scenario.end();
});

beforeEach(async () => {
  channel = await makeChannel(scenario.admin, { baseUrl: broken.baseUrl, model: 'first' });
  agent = await makeAgent({ admin: scenario.admin, channel }, { toolsets: [] });
});

const turn = (): Promise<Json> => chat(scenario.admin, { agent: agent.name });
const openCircuits = async (): Promise<string[]> => {
  const response = await fetch(`${scenario.admin.url}/metrics`);
  const lines = (await response.text()).split('\n');
  return lines.filter((line) => line.startsWith('netaclaw_channel_circuit_open{'));
};

it('a channel that fails again and again is given a rest, and says so', async () => {
  const before = broken.requests.length;
  for (let time = 0; time < 5; time += 1) expect((await turn()).error).toMatch(/on fire/);
  const { status, error } = await turn();
  expect(status).toBe('failed');
  expect(error).toMatch(
    new RegExp(`channel ${channel.name} failed 5 times in a row .* in 30 s\\. The last .* on fire`),
  );
  expect(broken.requests.length - before).toBe(5);
  expect(await openCircuits()).toEqual([
    `netaclaw_channel_circuit_open{channel="${channel.name}"} 1`,
  ]);
});

it('a channel that was mended is asked at once', async () => {
  for (let time = 0; time < 5; time += 1) await turn();
  const { id, version } = channel;
  const { baseUrl } = scenario.provider;
  await scenario.admin.ask('/admin/netaclaw/channel/update', { id, version, baseUrl });
  expect((await turn()).status).toBe('completed');
});

it('a test of the channel that succeeds ends the rest', async () => {
  for (let time = 0; time < 5; time += 1) await turn();
  broken.script(text('pong'), text('back again'));
  const test = await scenario.admin.ask('/admin/netaclaw/channel/test', { id: channel.id });
  expect(test.ok).toBe(true);
  expect((await turn()).reply).toBe('back again');
});

it('the fallback answers in its place, and the run says which model did', async () => {
  const behind = scenario.channel;
  const { id, version } = channel;
  await scenario.admin.ask('/admin/netaclaw/channel/update', {
    id,
    version,
    fallbackChannelId: behind.id,
  });
  const asked = broken.requests.length;
  for (let time = 0; time < 7; time += 1) expect((await turn()).status).toBe('completed');
  expect(broken.requests.length - asked).toBe(5);
  const events = await streamChat(scenario.admin, { agent: agent.name });
  expect(events.find(({ event }) => event === 'run-start')?.data).toMatchObject({ model: 'first' });
  expect(events.find(({ event }) => event === 'usage')?.data).toMatchObject({ model: 'scripted' });
});
