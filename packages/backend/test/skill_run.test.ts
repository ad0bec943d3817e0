import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from './client.js';
import {
  chat,
  makeAgent,
  startScenario,
  updateTool,
  wireSystem,
  wireTools,
  type Scenario,
} from './scenario.js';
import { calls, text } from './scripted_provider.js';
import { publishedSkill, SKILL, skillText, upload, zipOf, publish } from './skill_scene.js';

let scenario: Scenario;
let pinned: Json;
beforeAll(async () => {
  scenario = await startScenario();
  pinned = await publishedSkill(scenario, 'pinned', { body: 'ALWAYS so.' });
  await publishedSkill(scenario, 'listed', { body: 'ON DEMAND so.' });
  await publishedSkill(scenario, 'needs-bash', { front: 'allowed-tools: bash(git:*)\n' });
  await publishedSkill(scenario, 'elsewhere', { body: 'FOREIGN.' });
  await scenario.admin.ask(`${SKILL}/add`, { content: skillText('unpublished') });
});
afterAll(() => scenario?.end());

const chosen = ['listed', 'pinned', 'needs-bash', 'unpublished'];
const skilled = (fields: Json = {}): Promise<Json> =>
  makeAgent(scenario, { skills: chosen, pinnedSkills: ['pinned'], ...fields });
const preview = (id: number): Promise<Json> =>
  scenario.admin.ask('/admin/netaclaw/agent/previewPrompt', { id });
const lastRequest = (): Json => scenario.provider.requests.at(-1);
const hiddenOf = ({ skills }: Json): string[] =>
  skills.hidden.map(({ name, reason }: Json) => `${name}: ${reason}`);

/** The result of one call of a tool, as the model was told it. */
async function resultOf(agent: Json, name: string, input: Json = {}): Promise<Json> {
  scenario.provider.script(calls({ name, arguments: JSON.stringify(input) }), text('Done.'));
  const { toolCalls } = await chat(scenario.admin, { agent: agent.name });
  const message = lastRequest().body.messages.findLast(({ role }: Json) => role === 'tool');
  return { status: toolCalls[0].status, content: message.content };
}

describe('an agent with skills', () => {
  it('sees in the preview which it gets, which not and why, and the messages of the pinned', async () => {
    const { id } = await skilled();
    const shown = await preview(id);
    expect(shown.skills.active).toEqual([
      expect.objectContaining({ name: 'listed', activated: false, number: 1 }),
      expect.objectContaining({ name: 'pinned', activated: true, number: 1 }),
    ]);
    expect(hiddenOf(shown)).toEqual([
      'needs-bash: tools_not_granted',
      'unpublished: not_published',
    ]);
    expect(shown.skills.hidden[0].detail).toContain('bash');
    expect(shown.skillMessages).toEqual([
      {
        name: 'pinned',
        content: expect.stringContaining('ALWAYS so.'),
        tokens: expect.any(Number),
      },
    ]);
    expect(shown.toolNames).toEqual(expect.arrayContaining(['skill_list', 'skill_view']));
    expect(shown.builtinToolNames).toEqual(expect.arrayContaining(['skill_list', 'skill_view']));
  });

  it('is sent exactly what the preview shows: system, skills, history, message', async () => {
    const agent = await skilled();
    const shown = await preview(agent.id);
    scenario.provider.script(text('One.'), text('Two.'));
    const { sessionId } = await chat(scenario.admin, { agent: agent.name, message: 'first' });
    await chat(scenario.admin, { agent: agent.name, message: 'second', sessionId });
    const { messages } = lastRequest().body;
    expect(messages.slice(1).map(({ role, content }: Json) => [role, content])).toEqual([
      ['user', shown.skillMessages[0].content],
      ['user', 'first'],
      ['assistant', 'One.'],
      ['user', 'second'],
    ]);
    expect(messages[1].content).not.toMatch(/---|description:/);
    expect(wireSystem(lastRequest())).toContain('- listed: What listed is for.');
    expect(wireSystem(lastRequest())).not.toMatch(/- pinned:|needs-bash|ON DEMAND/);
    expect(wireTools(lastRequest()).toSorted()).toEqual(shown.toolNames.toSorted());
  });

  it('has what it got in the record of its run', async () => {
    const agent = await skilled();
    const { runId } = await chat(scenario.admin, { agent: agent.name });
    const { data } = await scenario.admin.get(`/admin/netaclaw/run/info?id=${runId}`);
    expect(data.skills).toEqual((await preview(agent.id)).skills);
  });

  it('lists its skills and reads them without front matter', async () => {
    const agent = await skilled();
    const list = await resultOf(agent, 'skill_list');
    expect(list).toEqual({
      status: 'ok',
      content: '- listed: What listed is for.\n- pinned: What pinned is for.',
    });
    expect(await resultOf(agent, 'skill_view', { name: 'listed' })).toEqual({
      status: 'ok',
      content: 'ON DEMAND so.',
    });
  });

  it.each(['needs-bash', 'unpublished', 'elsewhere', 'nowhere'])(
    'is told that it has no skill %s, be it hidden, foreign or none',
    async (name) => {
      const { status, content } = await resultOf(await skilled(), 'skill_view', { name });
      expect(status).toBe('error');
      expect(content).toBe(`This agent has no skill "${name}". It has: listed, pinned.`);
    },
  );

  it('reads the files of a skill by their paths', async () => {
    const { admin } = scenario;
    const zip = await zipOf([
      { path: 'SKILL.md', content: skillText('with-files', { body: 'See the notes.' }) },
      { path: 'notes/one.md', content: 'NOTE ONE' },
      { path: 'picture.bin', content: Buffer.from([0, 1, 2]) },
    ]);
    const fileId = await upload(admin, 'skill.zip', zip);
    await publish(admin, await admin.ask(`${SKILL}/import`, { fileId }));
    const agent = await skilled({ skills: ['with-files'], pinnedSkills: [] });
    const view = (file?: string) =>
      resultOf(agent, 'skill_view', { name: 'with-files', ...(file ? { file } : {}) });
    expect((await view()).content).toMatch(/^See the notes\.[^]*- notes\/one\.md\n- picture\.bin$/);
    expect(await view('notes/one.md')).toEqual({ status: 'ok', content: 'NOTE ONE' });
    expect(await view('picture.bin')).toMatchObject({
      status: 'error',
      content: expect.stringContaining('no text'),
    });
    expect(await view('../secret')).toMatchObject({
      status: 'error',
      content: expect.stringContaining('notes/one.md'),
    });
  });

  it('gets a skill as soon as its tools are granted, and loses it with them', async () => {
    const agent = await skilled({ runtime: 'local' });
    expect(hiddenOf(await preview(agent.id))).toEqual(['unpublished: not_published']);
    const { admin } = scenario;
    const { runId } = await chat(admin, { agent: agent.name, denyTools: ['bash'] });
    const run = (await admin.get(`/admin/netaclaw/run/info?id=${runId}`)).data;
    expect(hiddenOf(run)).toContain('needs-bash: tools_not_granted');
    await updateTool(admin, 'bash', { status: 0 });
    try {
      expect(hiddenOf(await preview(agent.id))).toContain('needs-bash: tools_not_granted');
    } finally {
      await updateTool(admin, 'bash', { status: 1 });
    }
  });

  it('reads the published text, not the draft, and a newer one from its next turn on', async () => {
    const { admin } = scenario;
    const agent = await skilled({ skills: ['moving'], pinnedSkills: [] }).catch(() => null);
    expect(agent).toBeNull();
    let skill = await publishedSkill(scenario, 'moving', { body: 'OLD.' });
    const reader = await skilled({ skills: ['moving'], pinnedSkills: ['moving'] });
    const read = async () => (await resultOf(reader, 'skill_view', { name: 'moving' })).content;
    const content = skillText('moving', { body: 'NEW.' });
    skill = await admin.ask(`${SKILL}/update`, { id: skill.id, version: skill.version, content });
    expect(await read()).toBe('OLD.');
    skill = await publish(admin, skill);
    expect(await read()).toBe('NEW.');
    expect(lastRequest().body.messages[1].content).toContain('NEW.');
    await admin.ask(`${SKILL}/rollback`, { id: skill.id, to: 1 });
    expect(await read()).toBe('OLD.');
  });

  it('loses a skill that is archived in the middle of its run', async () => {
    const { admin, provider } = scenario;
    const { id, version } = await publishedSkill(scenario, 'fleeting');
    const agent = await skilled({ skills: ['fleeting'], pinnedSkills: [] });
    const view = calls({ name: 'skill_view', arguments: '{"name":"fleeting"}' });
    provider.script(async (response, request) => {
      await admin.ask(`${SKILL}/archive`, { id, version });
      return view(response, request);
    }, text('Done.'));
    const { toolCalls } = await chat(admin, { agent: agent.name });
    expect(toolCalls[0].status).toBe('error');
  });

  it('of fifty does not pay for fifty texts', async () => {
    const names = Array.from({ length: 50 }, (_, index) => `many-${index}`);
    const body = 'word '.repeat(2_000);
    for (const name of names) await publishedSkill(scenario, name, { body });
    const agent = await skilled({ skills: names, pinnedSkills: names.slice(0, 20) });
    await chat(scenario.admin, { agent: agent.name });
    const { messages } = lastRequest().body;
    expect(JSON.stringify(messages).length).toBeLessThan(45_000);
    const shown = await preview(agent.id);
    expect(shown.skills.active.filter(({ activated }: Json) => activated)).toHaveLength(4);
    expect(shown.warnings).toContainEqual(expect.stringMatching(/many-4 .*does not fit/));
  });
});

describe('an agent without skills', () => {
  it('has no tools for them, and the reason is that it has none', async () => {
    const { id, name } = await makeAgent(scenario);
    const shown = await preview(id);
    expect(shown.skills).toEqual({ active: [], hidden: [] });
    for (const tool of ['skill_list', 'skill_view']) {
      expect(shown.disabledReasons).toContainEqual(
        expect.objectContaining({ name: tool, reason: 'no_skills' }),
      );
    }
    scenario.provider.script(calls({ name: 'skill_list' }), text('Done.'));
    const { toolCalls } = await chat(scenario.admin, { agent: name });
    expect(toolCalls[0].status).toBe('refused');
  });
});

describe('what an agent says of its skills', () => {
  it.each([
    ['skills.1', { skills: ['listed', 'nowhere'] }],
    ['pinnedSkills.0', { skills: ['listed'], pinnedSkills: ['pinned'] }],
  ])('is refused at %s where it cannot be', async (path, fields) => {
    const answer = await scenario.admin.post('/admin/netaclaw/agent/add', {
      name: 'wrong-skills',
      ...fields,
    });
    expect([answer.status, answer.body.details[0].path]).toEqual([400, path]);
  });

  it('may name one that is not published yet: it is hidden until then', async () => {
    expect(pinned.status).toBe('published');
    const { id } = await skilled({ skills: ['unpublished'], pinnedSkills: ['unpublished'] });
    const shown = await preview(id);
    expect([shown.skills.active, shown.skillMessages]).toEqual([[], []]);
  });
});
