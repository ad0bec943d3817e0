import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json, TestClient } from './client.js';
import { addPerson } from './people.js';
import { chat, makeAgent, startScenario, type Scenario } from './scenario.js';
import { calls, failure, text } from './scripted_provider.js';

const FIGURES = '/admin/netaclaw/overview/figures';
const HOUR_MS = 3_600_000;

let scenario: Scenario;
let viewer: TestClient;
const now = Date.now();
const time = (hours: number): string => new Date(now + hours * HOUR_MS).toISOString();
const lastDay = { from: time(-23), to: time(1), stepHours: 1 };

beforeAll(async () => {
  scenario = await startScenario();
  const { app, admin, provider } = scenario;
  viewer = (await addPerson(app, admin, { username: 'looker', role: 'viewer' })).client;
  const agent = await makeAgent(scenario, { runtime: 'local' });
  provider.script(calls({ name: 'list_dir' }, { name: 'todo' }), calls({ name: 'list_dir' }));
  provider.script(text('done'));
  await chat(admin, { agent: agent.name });
  provider.script(failure(400, 'no such model'));
  await admin.post('/api/netaclaw/chat', { agent: agent.name, message: 'Hello' });
});
afterAll(() => scenario?.end());

const sum = (steps: Json[], key: string): number =>
  steps.reduce((total: number, step: Json) => total + step[key], 0);

describe('the figures', () => {
  it('tell a viewer what ran, what failed and which tools were called', async () => {
    const { steps, tools } = await viewer.ask(FIGURES, lastDay);
    expect(steps).toHaveLength(24);
    expect([sum(steps, 'runs'), sum(steps, 'failed')]).toEqual([2, 1]);
    expect(sum(steps, 'tokens')).toBeGreaterThan(0);
    expect(steps[22].runs + steps[23].runs).toBe(2);
    expect(tools).toEqual([
      { name: 'list_dir', calls: 2 },
      { name: 'todo', calls: 1 },
    ]);
  });

  it.each([
    ['before', { from: time(-48), to: time(-24) }],
    ['after', { from: time(1), to: time(25) }],
  ])('hold nothing from %s the window', async (_, window) => {
    const { steps, tools } = await viewer.ask(FIGURES, { ...window, stepHours: 24 });
    expect([steps.length, sum(steps, 'runs'), tools]).toEqual([1, 0, []]);
  });

  it.each([
    ['ends before it begins', { from: time(0), to: time(-1), stepHours: 1 }, 'to'],
    ['is longer than a month', { from: time(-24 * 32), to: time(0), stepHours: 24 }, 'to'],
    ['has steps of nothing', { ...lastDay, stepHours: 0 }, 'stepHours'],
  ])('refuse a window that %s', async (_, body, path) => {
    const answer = await viewer.post(FIGURES, body);
    expect([answer.status, answer.body.details[0].path]).toEqual([400, path]);
  });
});
