import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { NetaClawSandboxDriversService } from '../src/modules/netaclaw/service/computer/sandbox_drivers.js';
import type { Json } from './client.js';
import { makeCrew, makePlayer, play } from './crew_scene.js';
import { addPerson } from './people.js';
import {
  callTools,
  makeSandboxAgent,
  SANDBOX_TOOLSETS,
  startSandboxScene,
  type SandboxScene,
} from './sandbox_scene.js';
import { makeAgent, updateTool, wireSystem, wireTools } from './scenario.js';
import { calls, text } from './scripted_provider.js';

const ON_ANY = ['bash', 'list_dir', 'patch', 'python', 'read_file', 'search_files', 'write_file'];
const ON_SERVICES = [...ON_ANY, 'download_file', 'upload_file'].toSorted();
const LIFECYCLE = [
  'annotate_execution',
  'create_skill_candidate',
  'create_skill_payload',
  'evaluate_skill_candidate',
  'get_execution_history',
  'get_skill_payload',
  'list_skill_candidates',
  'list_skill_releases',
  'promote_skill_candidate',
  'rollback_skill_release',
  'sync_skill_release',
];
const BROWSER = ['browser_batch_exec', 'browser_exec', 'run_browser_skill'];
const WITHOUT = [...ON_SERVICES, ...LIFECYCLE].toSorted();
const WITH = [...WITHOUT, ...BROWSER].toSorted();

let scene: SandboxScene;
beforeAll(async () => {
  scene = await startSandboxScene({
    SHIPYARD_URL: 'http://127.0.0.1:9',
    SHIPYARD_TOKEN: 't',
    BOXLITE_URL: 'http://127.0.0.1:9',
  });
});
afterAll(() => scene?.end());

const neo = (profile?: string) => ({
  runtime: 'sandbox',
  sandbox: { driver: 'shipyard_neo', ...(profile ? { profile } : {}) },
});
const preview = (body: Json): Promise<Json> =>
  scene.admin.ask('/admin/netaclaw/agent/previewPrompt', body);
const computerTools = ({ toolNames }: Json): string[] =>
  toolNames.filter((name: string) => !name.startsWith('delegate_')).toSorted();
const reasonsOf = ({ disabledReasons }: Json): [string, string][] =>
  disabledReasons.map(({ name, reason }: Json) => [name, reason]);
const learnProfiles = () =>
  scene.admin.ask('/admin/netaclaw/sandbox/profiles', { driver: 'shipyard_neo' });

describe('before boot', () => {
  it.each<[string, Json, string[]]>([
    ['local', { runtime: 'local' }, ON_ANY],
    ['shipyard', { runtime: 'sandbox', sandbox: { driver: 'shipyard' } }, ON_SERVICES],
    ['boxlite', { runtime: 'sandbox', sandbox: { driver: 'boxlite' } }, ON_SERVICES],
  ])('%s has its tools, and never those of a browser', async (_driver, computer, tools) => {
    const draft = { ...computer, toolsets: SANDBOX_TOOLSETS };
    const seen = await preview({ draft });
    expect(computerTools(seen)).toEqual(tools);
    for (const name of [...BROWSER, ...LIFECYCLE]) {
      expect(reasonsOf(seen)).toContainEqual([name, 'sandbox_capability_missing']);
    }
  });

  it('neo has the browser in while its profile is not known', async () => {
    const drivers = await scene.app.get(NetaClawSandboxDriversService);
    const driver = drivers.get('shipyard_neo');
    if (!driver) throw new Error('the driver is missing');
    scene.bay.fail(/profiles/, { times: 99, answer: { status: 503 } });
    expect(drivers.capabilitiesOf(driver, 'python-default')).toBeNull();
    const seen = await preview({ draft: { ...neo('python-default'), toolsets: SANDBOX_TOOLSETS } });
    expect(computerTools(seen)).toEqual(WITH);
    scene.bay.faults.length = 0;
  });

  it('neo has it as the profile says once the list is known', async () => {
    await learnProfiles();
    const plain = await preview({
      draft: { ...neo('python-default'), toolsets: SANDBOX_TOOLSETS },
    });
    expect(computerTools(plain)).toEqual(WITHOUT);
    expect(reasonsOf(plain)).toEqual(
      expect.arrayContaining(BROWSER.map((name) => [name, 'sandbox_capability_missing'])),
    );
    const browser = await preview({ draft: { ...neo('browser'), toolsets: SANDBOX_TOOLSETS } });
    expect(computerTools(browser)).toEqual(WITH);
  });

  it('says which setting is missing', async () => {
    const drivers = await scene.app.get(NetaClawSandboxDriversService);
    const kept = scene.app && drivers.settings.sandboxServices;
    drivers.settings.sandboxServices = new Map();
    const seen = await preview({ draft: { ...neo(), toolsets: ['base'] } });
    drivers.settings.sandboxServices = kept;
    expect(seen.toolNames).toEqual([]);
    expect(seen.disabledReasons).toContainEqual({
      name: 'bash',
      reason: 'source_unavailable',
      detail: expect.stringContaining('Set BAY_URL'),
    });
  });

  it('comes along for an agent that chose no toolsets, and not for one that chose', async () => {
    const none = await preview({ draft: neo('browser') });
    expect(computerTools(none)).toEqual(expect.arrayContaining(WITH));
    const chosen = await preview({ draft: { ...neo('browser'), toolsets: ['base', 'planning'] } });
    expect(computerTools(chosen)).toEqual(
      [...ON_ANY.filter((name) => name !== 'python'), 'clarify', 'todo'].toSorted(),
    );
    const empty = await preview({ draft: { ...neo('browser'), toolsets: [] } });
    expect(empty.toolNames).toEqual([]);
  });

  it('tells of paths, of skills and of the sandbox, in the prompt', async () => {
    const { layers } = await preview({ draft: { ...neo('browser'), toolsets: SANDBOX_TOOLSETS } });
    const { content } = layers.find(({ key }: Json) => key === 'tools');
    expect(content).toMatch(
      /# Paths in the sandbox[^]+# Skills made in the sandbox[^]+# Sandbox\n/,
    );
    expect(content).toContain('never "/workspace/report.md"');
    expect(content).toMatch(/evaluation[^]+must pass/);
    const plain = await preview({
      draft: { runtime: 'sandbox', sandbox: { driver: 'boxlite' }, toolsets: ['base'] },
    });
    expect(plain.prompt).toContain('# Sandbox\n');
    expect(plain.prompt).not.toContain('# Skills made in the sandbox');
  });
});

describe('after boot', () => {
  it.each([
    ['browser', WITH],
    ['python-default', WITHOUT],
  ])('a run in the profile %s has exactly its tools', async (profile, tools) => {
    const agent = await makeSandboxAgent(scene, neo(profile));
    const first = await callTools(scene, { agent }, ['list_dir', { path: '.' }]);
    // The second call of the model comes after the boot.
    expect(wireTools(scene.provider.requests.at(-1)).toSorted()).toEqual(tools);
    const second = await callTools(scene, { agent, sessionId: first.sessionId }, [
      'list_dir',
      { path: '.' },
    ]);
    expect(second.answer.toolNames.toSorted()).toEqual(tools);
    const missing = reasonsOf(second.answer).map(([name]) => name);
    expect(missing.toSorted()).toEqual(WITH.filter((name) => !tools.includes(name)));
  });

  it('a browser tool that was offered and then is not there is refused with the reason', async () => {
    const drivers = await scene.app.get(NetaClawSandboxDriversService);
    // As if the list were not known.
    Object.assign(drivers, { capabilitiesOf: () => null });
    const agent = await makeSandboxAgent(scene, neo('python-default'));
    scene.provider.script(
      calls({ name: 'list_dir', arguments: '{"path":"."}' }),
      calls({ name: 'browser_exec', arguments: '{"cmd":"open x"}' }),
      text('No browser.'),
    );
    const answer = await scene.admin.ask('/api/netaclaw/chat', {
      agent: agent.name,
      message: 'Go',
    });
    Reflect.deleteProperty(drivers, 'capabilitiesOf');
    expect(answer.toolNames).toContain('browser_exec');
    expect(answer.toolCalls.map(({ status }: Json) => status)).toEqual(['ok', 'refused']);
    const refusal = String(scene.provider.requests.at(-1)?.body.messages?.at(-1)?.content);
    expect(refusal).toContain('sandbox_capability_missing');
  });
});

describe('a crew in a neo sandbox', () => {
  let chief: Json;
  let member: Json;
  let crew: Json;
  beforeEach(async () => {
    await learnProfiles();
    member = await makePlayer(scene, { ...neo('browser'), toolsets: SANDBOX_TOOLSETS });
    ({ crew, chief } = await makeCrew(scene, { helper: member }));
    chief = await scene.admin.ask('/admin/netaclaw/agent/update', {
      id: chief.id,
      version: chief.version,
      ...neo('browser'),
      toolsets: SANDBOX_TOOLSETS,
    });
  });

  const previews = async () => [
    await preview({ id: chief.id, crewId: crew.id, crewRole: 'master' }),
    await preview({ id: member.id, crewId: crew.id, crewRole: 'sub' }),
  ];
  const sandboxPart = (prompt: string): string =>
    prompt.slice(
      prompt.indexOf('# Paths in the sandbox'),
      prompt.indexOf('## Tool failure guidance'),
    );

  it('gives master and member the same 23 tools and the same prompts', async () => {
    const [master, sub] = await previews();
    expect(computerTools(master)).toEqual(WITH);
    expect(computerTools(sub)).toEqual(WITH);
    expect(WITH).toHaveLength(23);
    expect(WITHOUT).toHaveLength(20);
    const toolsLayer = ({ layers }: Json) =>
      layers.find(({ key }: Json) => key === 'tools').content;
    expect(sandboxPart(toolsLayer(sub))).toBe(sandboxPart(toolsLayer(master)));
    expect(sandboxPart(toolsLayer(sub))).toContain('# Skills made in the sandbox');
  });

  it('gives a member that has booted the same as its master', async () => {
    const seen: Json = {};
    let memberTurns = 0;
    scene.provider.otherwise(
      play({
        [chief.name]: (request) => {
          seen.master = request;
          return request.body.messages.at(-1).role === 'tool'
            ? text('Done.')
            : calls(
                { name: 'list_dir', arguments: '{"path":"."}' },
                { name: 'delegate_helper', arguments: '{"task":"look"}' },
              );
        },
        [member.name]: (request) => {
          seen.member = request;
          memberTurns += 1;
          return memberTurns === 1
            ? calls({ name: 'list_dir', arguments: '{"path":"."}' })
            : text('Seen.');
        },
      }),
    );
    const answer = await scene.admin.ask('/api/netaclaw/chat', { crew: crew.name, message: 'Go' });
    scene.provider.otherwise(text('ok'));
    expect(answer.status).toBe('completed');
    const own = (request: Json) =>
      wireTools(request)
        .filter((name) => !name.startsWith('delegate_'))
        .toSorted();
    expect(own(seen.master)).toEqual(WITH);
    expect(own(seen.member)).toEqual(WITH);
    for (const request of [seen.master, seen.member]) {
      expect(wireSystem(request)).toContain('# Skills made in the sandbox');
    }
  });

  it('loses a tool in both when it is turned off in the Tools page', async () => {
    await updateTool(scene.admin, 'python', { status: 0 });
    for (const seen of await previews()) {
      expect(computerTools(seen)).toEqual(WITH.filter((name) => name !== 'python'));
      expect(reasonsOf(seen)).toContainEqual(['python', 'global_disabled']);
    }
    await updateTool(scene.admin, 'python', { status: 1 });
  });

  it('keeps what changes releases for admins', async () => {
    const username = `operator-${Date.now()}`;
    const { client } = await addPerson(scene.app, scene.admin, { username, role: 'operator' });
    const seen = await client.ask('/admin/netaclaw/agent/previewPrompt', { id: member.id });
    expect(reasonsOf(seen)).toEqual([
      ['promote_skill_candidate', 'admin_only'],
      ['rollback_skill_release', 'admin_only'],
      ['sync_skill_release', 'admin_only'],
    ]);
  });
});

it('an agent without a computer is told so', async () => {
  const agent = await makeAgent(scene, { toolsets: ['sandbox'] });
  expect(reasonsOf(await preview({ id: agent.id }))).toEqual([
    ['download_file', 'no_computer'],
    ['python', 'no_computer'],
    ['upload_file', 'no_computer'],
  ]);
});
