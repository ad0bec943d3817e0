import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { NetaClawSandboxPoolService } from '../src/modules/netaclaw/service/computer/sandbox_pool.js';
import type { Json } from './client.js';
import {
  callTools,
  makeSandboxAgent,
  startSandboxScene,
  type SandboxScene,
} from './sandbox_scene.js';
import { BoxliteStandIn } from './sandbox_services/boxlite.js';
import { SHIPYARD_TOKEN, ShipyardStandIn } from './sandbox_services/shipyard.js';
import { wireSystem } from './scenario.js';

let scene: SandboxScene;
let yard: ShipyardStandIn;
let boxlite: BoxliteStandIn;
let pool: NetaClawSandboxPoolService;

beforeAll(async () => {
  [yard, boxlite] = await Promise.all([
    new ShipyardStandIn().start(),
    new BoxliteStandIn().start(),
  ]);
  scene = await startSandboxScene({
    SHIPYARD_URL: yard.url,
    SHIPYARD_TOKEN,
    BOXLITE_URL: boxlite.url,
  });
  pool = await scene.app.get(NetaClawSandboxPoolService);
});
afterAll(async () => {
  await scene?.end();
  await Promise.all([yard.close(), boxlite.close()]);
});
beforeEach(() => {
  scene.bay.requests.length = 0;
  scene.bay.faults.length = 0;
});

const write = (text: string): [string, Json] => ['write_file', { path: 'note.txt', content: text }];
const read: [string, Json] = ['read_file', { path: 'note.txt' }];
const created = () => scene.bay.count(/^POST \/v1\/sandboxes$/);
const update = (agent: Json, fields: Json): Promise<Json> =>
  scene.admin.ask('/admin/netaclaw/agent/update', {
    id: agent.id,
    version: agent.version,
    ...fields,
  });

it('boots one sandbox for first calls in parallel', async () => {
  const agent = await makeSandboxAgent(scene);
  scene.bay.fail(/^POST \/v1\/sandboxes$/, { delayMs: 200 });
  const look: [string, Json] = ['list_dir', { path: '.' }];
  const { results } = await callTools(scene, { agent }, look, look, look, look);
  expect(results).toHaveLength(4);
  expect(created()).toBe(1);
});

it('keeps a session its sandbox from turn to turn, and every session its own', async () => {
  const agent = await makeSandboxAgent(scene);
  const { sessionId } = await callTools(scene, { agent }, write('mine'));
  const { results } = await callTools(scene, { agent, sessionId }, read);
  expect(results).toEqual(['mine']);
  const other = await callTools(scene, { agent }, read);
  expect(other.results[0]).toContain('does not exist');
  expect(created()).toBe(2);
});

describe('expiry in mid-session', () => {
  it('boots a new sandbox, does the call there, and tells the model that files are gone', async () => {
    const agent = await makeSandboxAgent(scene);
    const { sessionId } = await callTools(scene, { agent }, write('mine'));
    scene.bay.expire(scene.bay.last.id);
    const { results, answer } = await callTools(scene, { agent, sessionId }, [
      'bash',
      { command: 'pwd' },
    ]);
    expect(created()).toBe(2);
    expect(results[0]).toMatch(/All files of before are gone\. Tell the person[^]+Exit code: 0/);
    expect(answer.status).toBe('completed');
    // From then on the prompt says it, and results no more.
    expect(wireSystem(scene.provider.requests.at(-1))).toContain('# An earlier sandbox');
    const later = await callTools(scene, { agent, sessionId }, ['bash', { command: 'echo on' }]);
    expect(later.results[0]).not.toContain('gone');
    expect(wireSystem(scene.provider.requests.at(-1))).toContain('# An earlier sandbox');
  });

  it('is counted', async () => {
    const metrics = await (await fetch(`${scene.app.url}/metrics`)).text();
    expect(metrics).toContain('netaclaw_sandboxes_lost_total{driver="shipyard_neo"} 1');
    expect(metrics).toMatch(/netaclaw_sandbox_boots_total\{driver="shipyard_neo",result="ok"\} \d/);
    expect(metrics).toMatch(/netaclaw_sandboxes\{driver="shipyard_neo",status="running"\} \d/);
  });
});

it('keeps the workspace through faults of the service', async () => {
  const agent = await makeSandboxAgent(scene);
  const { sessionId } = await callTools(scene, { agent }, write('mine'));
  scene.bay.fail(/filesystem/, { times: 3, answer: { status: 500 } });
  const during = await callTools(scene, { agent, sessionId }, read);
  expect(during.results[0]).toContain('gave no reason');
  expect(during.answer.status).toBe('completed');
  const after = await callTools(scene, { agent, sessionId }, read);
  expect(after.results).toEqual(['mine']);
  expect([created(), scene.bay.count(/^DELETE/)]).toEqual([1, 0]);
});

it('pools nothing after a boot that failed, says why, and boots at the next call', async () => {
  const agent = await makeSandboxAgent(scene);
  const error = { code: 'quota_exceeded', message: 'too many sandboxes' };
  scene.bay.fail(/^POST \/v1\/sandboxes$/, { times: 3, answer: { status: 429, body: { error } } });
  const { sessionId, results } = await callTools(scene, { agent }, read);
  expect(results[0]).toContain('too many sandboxes');
  expect(pool.find(sessionId)).toBeUndefined();
  const next = await callTools(scene, { agent, sessionId }, write('now'));
  expect(next.results[0]).toContain('Wrote 3 bytes');
});

describe('a stopped sandbox', () => {
  it('of Neo is found again with its files', async () => {
    const agent = await makeSandboxAgent(scene);
    const { sessionId } = await callTools(scene, { agent }, write('mine'));
    await pool.release(sessionId);
    expect(pool.find(sessionId)?.status).toBe('stopped');
    expect(scene.bay.last.status).toBe('idle');
    const { results } = await callTools(scene, { agent, sessionId }, read);
    expect(results).toEqual(['mine']);
    expect(created()).toBe(1);
  });

  it('of Shipyard is not, and the model is told', async () => {
    const agent = await makeSandboxAgent(scene, { sandbox: { driver: 'shipyard' } });
    const { sessionId } = await callTools(scene, { agent }, write('mine'));
    await pool.release(sessionId);
    expect(yard.ships.size).toBe(0);
    const { results } = await callTools(scene, { agent, sessionId }, read);
    expect(results[0]).toMatch(/All files of before are gone[^]+does not exist/);
  });

  it('is what idle ones become', async () => {
    const agent = await makeSandboxAgent(scene);
    const { sessionId } = await callTools(scene, { agent }, write('mine'));
    const pooled = pool.find(sessionId);
    if (!pooled) throw new Error('nothing is pooled');
    await pool.sweep(pooled.lastUsedAt + 14 * 60_000);
    expect(pooled.status).toBe('running');
    await pool.sweep(pooled.lastUsedAt + 16 * 60_000);
    expect(pool.find(sessionId)?.status).toBe('stopped');
    await pool.sweep(pooled.lastUsedAt + 25 * 3_600_000);
    expect(pool.find(sessionId)).toBeUndefined();
  });
});

it('lives longer while it is used', async () => {
  const agent = await makeSandboxAgent(scene);
  const { sessionId } = await callTools(scene, { agent }, write('mine'));
  await callTools(scene, { agent, sessionId }, read);
  expect(scene.bay.count(/extend_ttl/)).toBe(0);
  const pooled = pool.find(sessionId);
  // As if it had been an hour.
  scene.bay.last.expiresAt = Date.now() + 60_000;
  if (pooled) Reflect.set(pooled.booter, 'lookedAt', 0);
  await callTools(scene, { agent, sessionId }, read);
  await expect.poll(() => scene.bay.last.expiresAt ?? 0).toBeGreaterThan(Date.now() + 3_600_000);
  expect(scene.bay.count(/extend_ttl/)).toBe(1);
});

describe('a changed configuration takes effect at the next call', () => {
  it.each<[string, Json, string]>([
    [
      'the profile',
      { sandbox: { driver: 'shipyard_neo', profile: 'python-default' } },
      'shipyard_neo',
    ],
    ['the driver', { sandbox: { driver: 'shipyard' } }, 'shipyard'],
    ['the driver to Boxlite', { sandbox: { driver: 'boxlite' } }, 'boxlite'],
    ['the runtime', { runtime: 'local' }, 'local'],
  ])('of %s', async (_what, fields, kind) => {
    const agent = await makeSandboxAgent(scene);
    const { sessionId } = await callTools(scene, { agent }, write('mine'));
    const before = scene.bay.last;
    await update(agent, fields);
    const { results } = await callTools(scene, { agent, sessionId }, write('new'));
    expect(results[0]).toContain('Wrote 3 bytes');
    expect(pool.find(sessionId)).toMatchObject({ kind, status: 'running' });
    expect(before.status).toBe('idle');
  });

  it('and a computer that is taken away is gone', async () => {
    const agent = await makeSandboxAgent(scene);
    const { sessionId } = await callTools(scene, { agent }, write('mine'));
    await update(agent, { runtime: 'none', sandbox: null });
    const { answer } = await callTools(scene, { agent, sessionId }, read);
    expect(answer.toolCalls[0].status).toBe('refused');
  });
});

it('holds an agent to its limit of sandboxes', async () => {
  const agent = await makeSandboxAgent(scene, { limits: { maxSandboxes: 2 } });
  const first = await callTools(scene, { agent }, write('1'));
  await callTools(scene, { agent }, write('2'));
  const third = await callTools(scene, { agent }, write('3'));
  expect(third.results[0]).toMatch(/has 2 sandboxes, which is its limit/);
  await pool.release(first.sessionId);
  const again = await callTools(scene, { agent, sessionId: third.sessionId }, write('3'));
  expect(again.results[0]).toContain('Wrote');
});

it('deletes the sandbox of a session that is deleted', async () => {
  const agent = await makeSandboxAgent(scene);
  const { sessionId } = await callTools(scene, { agent }, write('mine'));
  const { id } = scene.bay.last;
  await scene.admin.delete(`/api/netaclaw/sessions/${sessionId}`);
  expect(scene.bay.boxes.has(id)).toBe(false);
});

it('a long result lies where read_file reads, in the sandbox too', async () => {
  const agent = await makeSandboxAgent(scene);
  const { sessionId, results } = await callTools(scene, { agent }, [
    'bash',
    { command: 'seq 1 40000' },
  ]);
  const [, path = ''] = /What the tool returned is in (\S+);/.exec(results[0] ?? '') ?? [];
  expect(path).toMatch(/^tool-results\//);
  const { results: read } = await callTools(scene, { agent, sessionId }, [
    'read_file',
    { path, offset: 30_000, limit: 2 },
  ]);
  expect(read[0]).toMatch(/^2999\d\n/);
});

// The last, since nothing comes after it.
it('stops all ten sandboxes when the server shuts down', async () => {
  const agent = await makeSandboxAgent(scene, { limits: { maxSandboxes: 50 } });
  for (const box of scene.bay.boxes.values()) box.status = 'idle';
  for (let turn = 0; turn < 10; turn += 1) await callTools(scene, { agent }, write('x'));
  const running = () => [...scene.bay.boxes.values()].filter(({ status }) => status === 'ready');
  expect(running()).toHaveLength(10);
  await pool.stop();
  expect(running()).toEqual([]);
});
