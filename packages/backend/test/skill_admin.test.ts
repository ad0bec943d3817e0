import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from './client.js';
import { addPerson } from './people.js';
import { auditOf, makeAgent, startScenario, type Scenario } from './scenario.js';
import { publish, publishedSkill, SKILL, skillInfo, skillText } from './skill_scene.js';

let scenario: Scenario;
beforeAll(async () => {
  scenario = await startScenario();
});
afterAll(() => scenario?.end());

const add = (name: string, options = {}): Promise<Json> =>
  scenario.admin.ask(`${SKILL}/add`, { content: skillText(name, options) });
const step = (action: string, { id, version }: Json, more: Json = {}) =>
  scenario.admin.post(`${SKILL}/${action}`, { id, version, ...more });
const next = async (action: string, skill: Json, more: Json = {}): Promise<Json> => {
  const { status, data, text } = await step(action, skill, more);
  if (status !== 200) throw new Error(text);
  return data;
};

describe('a skill', () => {
  it('is added as a draft, read back whole, listed and deleted, with the audit', async () => {
    const { admin } = scenario;
    const front = 'license: MIT\nmetadata:\n  author: press\nallowed-tools: bash read_file\n';
    const skill = await add('first', { front, body: '# Steps\n\nOne: two.' });
    expect(skill).toMatchObject({
      name: 'first',
      description: 'What first is for.',
      status: 'draft',
      publishedNumber: null,
      latestNumber: 1,
      version: 1,
    });
    expect(await skillInfo(admin, skill.id)).toMatchObject({
      ...skill,
      content: skillText('first', { front, body: '# Steps\n\nOne: two.' }),
      body: '# Steps\n\nOne: two.',
      frontMatter: {
        name: 'first',
        license: 'MIT',
        compatibility: null,
        metadata: { author: 'press' },
        allowedTools: ['bash', 'read_file'],
      },
      files: [],
      shown: { number: 1, status: 'draft', approvedBy: null, author: 'user:admin' },
      usedBy: [],
    });
    const { list } = await admin.ask(`${SKILL}/page`, { keyWord: 'first', status: 'draft' });
    expect(list).toEqual([skill]);
    expect(
      await admin.ask(`${SKILL}/page`, { keyWord: 'first', status: 'archived' }),
    ).toMatchObject({ list: [] });
    expect(await admin.ask(`${SKILL}/list`)).toContainEqual({
      name: 'first',
      description: 'What first is for.',
      status: 'draft',
      publishedNumber: null,
    });
    expect(await admin.ask(`${SKILL}/delete`, { ids: [skill.id] })).toEqual({ deleted: 1 });
    expect((await admin.get(`${SKILL}/info?id=${skill.id}`)).status).toBe(404);
    expect((await admin.post(`${SKILL}/delete`, { ids: [skill.id] })).status).toBe(404);
    const actions = (await auditOf(admin, 'skill:first')).map(({ action }) => action);
    expect(actions.toSorted()).toEqual(['skill.add', 'skill.delete']);
  });

  it.each([
    ['no front matter', 'Do it.', 'content', /line 1/],
    [
      'a bare colon',
      '---\nname: a\ndescription: Use when: asked\n---\n',
      'content',
      /line 3.*quotes/,
    ],
    ['a name that is none', skillText('No'), 'content.name', /lower case/],
  ])('with %s is refused, and where is said', async (...[, content, path, sentence]) => {
    const { status, body } = await scenario.admin.post(`${SKILL}/add`, { content });
    expect([status, body.details]).toEqual([
      400,
      [{ path, message: expect.stringMatching(sentence) }],
    ]);
  });

  it('of a taken name or a stale version is a conflict with the skill as it stands', async () => {
    const skill = await add('taken');
    const taken = await scenario.admin.post(`${SKILL}/add`, { content: skillText('taken') });
    expect([taken.status, taken.body.details.current]).toEqual([409, skill]);
    const now = await next('update', skill, { content: skillText('taken', { body: 'Mine.' }) });
    const late = await step('update', skill, { content: skillText('taken', { body: 'Yours.' }) });
    expect([late.status, late.body.details.current]).toEqual([409, now]);
    expect((await skillInfo(scenario.admin, skill.id)).body).toBe('Mine.');
  });

  it('changed by many at once is changed by one of them', async () => {
    const skill = await add('raced');
    const bodies = ['a', 'b', 'c', 'd', 'e', 'f'];
    const answers = await Promise.all(
      bodies.map((body) => step('update', skill, { content: skillText('raced', { body }) })),
    );
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([200, 409, 409, 409, 409, 409]);
  });

  it('keeps its name', async () => {
    const skill = await add('keeps-its-name');
    const answer = await step('update', skill, { content: skillText('another') });
    expect([answer.status, answer.body.details[0].path]).toEqual([400, 'content.name']);
  });

  it('that an agent has chosen is not deleted, and the agent is named', async () => {
    const { admin } = scenario;
    const skill = await publishedSkill(scenario, 'chosen');
    const agent = await makeAgent(scenario, { skills: ['chosen'] });
    const answer = await admin.post(`${SKILL}/delete`, { ids: [skill.id] });
    expect([answer.status, answer.body.message]).toEqual([
      409,
      expect.stringContaining(agent.name),
    ]);
    expect((await skillInfo(admin, skill.id)).usedBy).toEqual([
      { id: agent.id, name: agent.name, label: agent.label },
    ]);
  });
});

describe('a version', () => {
  it('goes from draft to review, to approval, to the agents; each step is in the audit', async () => {
    const { admin } = scenario;
    const draft = await add('goes');
    const submitted = await next('review', draft, { decision: 'submit' });
    expect(submitted.status).toBe('in_review');
    const early = await step('publish', submitted);
    expect([early.status, early.body.message]).toEqual([
      400,
      expect.stringMatching(/not approved/),
    ]);
    const approved = await next('review', submitted, { decision: 'approve', comment: 'Good.' });
    expect((await skillInfo(admin, draft.id)).shown).toMatchObject({
      status: 'in_review',
      approvedBy: 'user:admin',
      comment: 'Good.',
    });
    const published = await next('publish', approved);
    expect(published).toMatchObject({ status: 'published', publishedNumber: 1, latestNumber: 1 });
    const rows = await auditOf(admin, 'skill:goes');
    expect(rows.map(({ action }) => action)).toEqual([
      'skill.publish',
      'skill.review',
      'skill.review',
      'skill.add',
    ]);
    expect(rows[0]).toMatchObject({
      before: { status: 'in_review', hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
      after: { status: 'published' },
    });
  });

  it('that was sent back is a draft again, with what the reviewer wrote', async () => {
    const approved = await next('review', await add('sent-back'), { decision: 'approve' });
    const back = await next('review', approved, { decision: 'reject', comment: 'Too short.' });
    expect(back.status).toBe('draft');
    const { shown } = await skillInfo(scenario.admin, back.id);
    expect(shown).toMatchObject({ status: 'draft', approvedBy: null, comment: 'Too short.' });
    expect((await step('publish', back)).status).toBe(400);
  });

  it('that changes after its approval loses it', async () => {
    const approved = await next('review', await add('loses'), { decision: 'approve' });
    const content = skillText('loses', { body: 'Something else.' });
    const changed = await next('update', approved, { content });
    expect(changed.status).toBe('draft');
    expect((await skillInfo(scenario.admin, changed.id)).shown.approvedBy).toBeNull();
    const answer = await step('publish', changed);
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringMatching(/review/)]);
  });

  it('once published stays as it is: a change begins the next, and agents keep the first', async () => {
    const { admin } = scenario;
    const first = await publishedSkill(scenario, 'stays', { body: 'One.' });
    const second = await next('update', first, { content: skillText('stays', { body: 'Two.' }) });
    expect(second).toMatchObject({ status: 'draft', publishedNumber: 1, latestNumber: 2 });
    expect((await skillInfo(admin, first.id, 1)).body).toBe('One.');
    const info = await skillInfo(admin, first.id);
    expect([info.body, info.versions.map(({ number, status }: Json) => [number, status])]).toEqual([
      'Two.',
      [
        [2, 'draft'],
        [1, 'published'],
      ],
    ]);
    expect(info.versions[0].hash).not.toBe(info.versions[1].hash);
  });

  it('that was published can be brought back, however old; one that was not cannot', async () => {
    const { admin } = scenario;
    let skill = await publishedSkill(scenario, 'back', { body: 'One.' });
    for (const body of ['Two.', 'Three.']) {
      skill = await publish(
        admin,
        await next('update', skill, { content: skillText('back', { body }) }),
      );
    }
    expect(skill).toMatchObject({ publishedNumber: 3, latestNumber: 3 });
    const rolled = await next('rollback', skill, { to: 1 });
    expect(rolled).toMatchObject({ status: 'published', publishedNumber: 1, latestNumber: 3 });
    const { versions } = await skillInfo(admin, skill.id);
    expect(versions.map(({ status }: Json) => status)).toEqual([
      'archived',
      'archived',
      'published',
    ]);
    const draft = await next('update', rolled, { content: skillText('back', { body: 'Four.' }) });
    const never = await step('rollback', draft, { to: 4 });
    expect([never.status, never.body.details[0].path]).toEqual([400, 'to']);
    expect((await step('rollback', draft, { to: 9 })).status).toBe(404);
    const { data } = await admin.post(`${SKILL}/rollback`, { id: draft.id, to: 3 });
    expect(data).toMatchObject({ publishedNumber: 3, status: 'draft' });
  });

  it('that is archived is taken from the agents and can be brought back', async () => {
    const skill = await publishedSkill(scenario, 'archived');
    const archived = await next('archive', skill);
    expect(archived).toMatchObject({ status: 'archived', publishedNumber: null });
    expect((await step('archive', archived)).status).toBe(409);
    expect((await step('review', archived, { decision: 'submit' })).status).toBe(409);
    expect(await next('rollback', archived, { to: 1 })).toMatchObject({ status: 'published' });
  });

  it.each(['review', 'publish', 'rollback', 'archive', 'update'])(
    'is not moved by %s from a stale version',
    async (action) => {
      const skill = await add(`stale-${action}`);
      await next('update', skill, { content: skillText(skill.name, { body: 'Newer.' }) });
      const more: Json = {
        review: { decision: 'submit' },
        rollback: { to: 1 },
        update: { content: skillText(skill.name) },
      };
      const answer = await step(action, skill, more[action]);
      expect([answer.status, answer.body.details.current.version]).toEqual([409, 2]);
    },
  );
});

it('rights: a viewer reads and changes nothing', async () => {
  const { app, admin } = scenario;
  const { client } = await addPerson(app, admin, { username: 'skill-viewer', role: 'viewer' });
  const { id, version } = await add('looked-at');
  const reads = await Promise.all([
    client.post(`${SKILL}/page`),
    client.get(`${SKILL}/info?id=${id}`),
    client.post(`${SKILL}/export`, { id }),
  ]);
  expect(reads.map(({ status }) => status)).toEqual([200, 200, 200]);
  const writes = await Promise.all([
    client.post(`${SKILL}/add`, { content: skillText('not') }),
    client.post(`${SKILL}/review`, { id, version, decision: 'approve' }),
    client.post(`${SKILL}/delete`, { ids: [id] }),
  ]);
  expect(writes.map(({ status }) => status)).toEqual([403, 403, 403]);
});
