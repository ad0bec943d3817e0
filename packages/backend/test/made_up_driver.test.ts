import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NetaClawSandboxDriversService } from '../src/modules/netaclaw/service/computer/sandbox_drivers.js';
import type { Json } from './client.js';
import { loads } from './made_up_driver/harbor_driver.js';
import { calls, text } from './scripted_provider.js';
import { chat, makeAgent, startScenario, toolRow, updateTool, type Scenario } from './scenario.js';

let scenario: Scenario;
let agent: Json;

beforeAll(async () => {
  scenario = await startScenario({
    SANDBOX_HARBOR_URL: 'http://127.0.0.1:9',
    SANDBOX_HARBOR_KEY: 'key',
  });
  const drivers = await scenario.app.get(NetaClawSandboxDriversService);
  await drivers.load(new URL('./made_up_driver/', import.meta.url));
  await scenario.admin.ask('/admin/netaclaw/tool/sync');
  agent = await makeAgent(scenario, {
    runtime: 'sandbox',
    sandbox: { driver: 'harbor' },
  });
});
afterAll(() => scenario?.end());

const preview = (fields: Json = {}): Promise<Json> =>
  scenario.admin.ask('/admin/netaclaw/agent/previewPrompt', { id: agent.id, ...fields });

describe('a driver that is one file', () => {
  it('stands in the list of drivers, and is not loaded for that', async () => {
    const drivers: Json[] = await scenario.admin.ask('/admin/netaclaw/sandbox/drivers');
    expect(drivers.map(({ kind }) => kind)).toEqual([
      'boxlite',
      'local',
      'shipyard',
      'shipyard_neo',
      'harbor',
    ]);
    expect(drivers.at(-1)).toMatchObject({
      isConfigured: true,
      problem: null,
      address: 'http://127.0.0.1:9',
      tools: ['read_file', 'write_file', 'list_dir', 'harbor_lights'],
      hasProfiles: true,
    });
    expect(loads).toEqual([]);
  });

  it('has its own tool in the catalog and the table, with itself as the source', async () => {
    expect(await toolRow(scenario.admin, 'harbor_lights')).toMatchObject({
      toolset: 'sandbox',
      source: 'harbor',
      catalogState: 'present',
      status: 1,
    });
  });

  it('is in what the resolver lets through and in the prompt', async () => {
    const { toolNames, prompt } = await preview();
    expect(toolNames).toEqual(
      expect.arrayContaining(['harbor_lights', 'list_dir', 'read_file', 'write_file']),
    );
    expect(toolNames).not.toContain('bash');
    expect(prompt).toContain('The harbor opens at the first call.');
  });

  it('offers its profiles and says that it is there', async () => {
    const body = { driver: 'harbor' };
    expect(await scenario.admin.ask('/admin/netaclaw/sandbox/profiles', body)).toEqual([
      { id: 'quay', capabilities: ['filesystem'], description: null },
    ]);
    const test = await scenario.admin.ask('/admin/netaclaw/sandbox/test', body);
    expect(test).toMatchObject({ ok: true, version: '4', error: null });
  });

  it('is governed like every other', async () => {
    await updateTool(scenario.admin, 'harbor_lights', { status: 0 });
    const { toolNames, disabledReasons } = await preview();
    expect(toolNames).not.toContain('harbor_lights');
    expect(disabledReasons).toContainEqual(
      expect.objectContaining({ name: 'harbor_lights', reason: 'global_disabled' }),
    );
    await updateTool(scenario.admin, 'harbor_lights', { status: 1 });
  });

  it('runs its tool for an agent, and is listed as live', async () => {
    const { provider, admin } = scenario;
    provider.script(calls({ name: 'harbor_lights', arguments: '{"on":true}' }), text('Lit.'));
    const answer = await chat(admin, { agent: agent.name });
    expect(answer.status).toBe('completed');
    expect(loads).toEqual(['harbor']);
    const { list } = await admin.ask('/admin/netaclaw/sandbox/page', { driver: 'harbor' });
    expect(list).toEqual([
      expect.objectContaining({
        sessionId: answer.sessionId,
        agent: agent.name,
        remoteId: 'berth-1',
        status: 'running',
      }),
    ]);
  });

  it('is refused by name where there is no such driver', async () => {
    const body = { id: agent.id, version: agent.version, sandbox: { driver: 'harbour' } };
    const { status, body: refusal } = await scenario.admin.post(
      '/admin/netaclaw/agent/update',
      body,
    );
    expect([status, refusal.details]).toEqual([
      400,
      [{ path: 'sandbox.driver', message: expect.stringContaining('harbor') }],
    ]);
  });
});
