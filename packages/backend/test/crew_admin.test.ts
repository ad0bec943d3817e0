import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from './client.js';
import { auditOf, makeAgent, startScenario, type Scenario } from './scenario.js';

let scenario: Scenario;
let chief: Json;
let writer: Json;
let reader: Json;

beforeAll(async () => {
  scenario = await startScenario();
  chief = await makeAgent(scenario, { name: 'chief' });
  writer = await makeAgent(scenario, { name: 'the-writer' });
  reader = await makeAgent(scenario, { name: 'the-reader' });
});
afterAll(() => scenario?.end());

const base = '/admin/netaclaw/crew';
let count = 0;
const bodyOf = (fields: Json = {}): Json => ({
  name: `crew-${++count}`,
  masterAgentId: chief.id,
  members: [{ agentId: writer.id }],
  ...fields,
});
const add = (fields: Json = {}): Promise<Json> => scenario.admin.ask(`${base}/add`, bodyOf(fields));

describe('a crew', () => {
  it('is stored with its defaults and read back the same, with what was done in the audit', async () => {
    const { admin } = scenario;
    const members = [{ agentId: writer.id, alias: 'pen', description: 'Writes.' }];
    const crew = await add({ name: 'press', members });
    expect(crew).toMatchObject({
      name: 'press',
      label: 'press',
      description: '',
      masterAgentId: chief.id,
      members,
      maxDepth: 1,
      maxParallel: 8,
      status: 1,
      version: 1,
    });
    expect((await admin.get(`${base}/info?id=${crew.id}`)).data).toEqual(crew);
    const changed = await admin.ask(`${base}/update`, { id: crew.id, version: 1, maxParallel: 3 });
    expect(changed).toMatchObject({
      ...crew,
      maxParallel: 3,
      version: 2,
      updateTime: expect.any(String),
    });
    const { list } = await admin.ask(`${base}/page`, { keyWord: 'press', masterAgentId: chief.id });
    expect(list).toEqual([changed]);
    expect(await admin.ask(`${base}/delete`, { ids: [crew.id] })).toEqual({ deleted: 1 });
    expect((await admin.get(`${base}/info?id=${crew.id}`)).status).toBe(404);
    expect((await admin.post(`${base}/delete`, { ids: [crew.id] })).status).toBe(404);
    const rows = await auditOf(admin, 'crew:press');
    expect(rows.map(({ action }) => action).toSorted()).toEqual([
      'crew.add',
      'crew.delete',
      'crew.update',
    ]);
  });

  it('of a stale version is a conflict with the row as it stands; a taken name too', async () => {
    const { admin } = scenario;
    const crew = await add();
    const now = await admin.ask(`${base}/update`, { id: crew.id, version: 1, label: 'Mine' });
    const late = await admin.post(`${base}/update`, { id: crew.id, version: 1, label: 'Yours' });
    expect([late.status, late.body.details.current]).toEqual([409, now]);
    const taken = await admin.post(`${base}/add`, bodyOf({ name: crew.name }));
    expect([taken.status, taken.body.details.current.id]).toEqual([409, crew.id]);
    expect(taken.body.details.problems).toEqual([{ path: 'name', message: taken.body.message }]);
  });

  it.each<[string, () => Json, string[]]>([
    ['an unknown master', () => ({ masterAgentId: 99_999 }), ['masterAgentId']],
    ['an unknown member', () => ({ members: [{ agentId: 99_999 }] }), ['members.0.agentId']],
    ['no member', () => ({ members: [] }), ['members']],
    [
      'one member twice',
      () => ({ members: [{ agentId: writer.id }, { agentId: writer.id, alias: 'b' }] }),
      ['members.1.agentId'],
    ],
    ['its master as a member', () => ({ members: [{ agentId: chief.id }] }), ['members.0.agentId']],
    [
      'two members of one tool',
      () => ({ members: [{ agentId: writer.id }, { agentId: reader.id, alias: 'the_writer' }] }),
      ['members.1.alias'],
    ],
    [
      'an alias that is no name',
      () => ({ members: [{ agentId: writer.id, alias: 'A b' }] }),
      ['members.0.alias'],
    ],
    [
      'an unknown field',
      () => ({ members: [{ agentId: writer.id, tools: [] }] }),
      ['members.0.tools'],
    ],
    ['no depth', () => ({ maxDepth: 0 }), ['maxDepth']],
  ])('with %s is refused, and where is said', async (_what, fields, paths) => {
    const { status, body } = await scenario.admin.post(`${base}/add`, bodyOf(fields()));
    expect([status, body.details.map(({ path }: Json) => path)]).toEqual([400, paths]);
  });

  it('is held to the same when it is changed', async () => {
    const { id, version } = await add();
    const { status, body } = await scenario.admin.post(`${base}/update`, {
      id,
      version,
      masterAgentId: writer.id,
    });
    expect([status, body.details[0].path]).toEqual([400, 'members.0.agentId']);
  });
});

describe('an agent in a crew', () => {
  it('cannot be deleted, as master or member, and the crew is named', async () => {
    const { admin } = scenario;
    const [boss, hand] = [await makeAgent(scenario), await makeAgent(scenario)];
    const crew = await add({ masterAgentId: boss.id, members: [{ agentId: hand.id }] });
    for (const { id } of [boss, hand]) {
      const { status, body } = await admin.post('/admin/netaclaw/agent/delete', { ids: [id] });
      expect([status, body.message]).toEqual([409, expect.stringContaining(crew.name)]);
    }
    await admin.ask(`${base}/delete`, { ids: [crew.id] });
    const ids = [boss.id, hand.id];
    expect(await admin.ask('/admin/netaclaw/agent/delete', { ids })).toEqual({ deleted: 2 });
  });

  it('can be renamed, but not to a name that would give two members one tool', async () => {
    const { admin } = scenario;
    const one = await makeAgent(scenario, { name: 'rename-one' });
    const two = await makeAgent(scenario, { name: 'rename-two' });
    const crew = await add({ members: [{ agentId: one.id, alias: 'same' }, { agentId: two.id }] });
    const rename = (name: string) =>
      admin.post('/admin/netaclaw/agent/update', { id: two.id, version: two.version, name });
    const refused = await rename('same');
    expect([refused.status, refused.body.message]).toEqual([
      409,
      expect.stringMatching(`${crew.name}.*delegate_same`),
    ]);
    expect((await rename('another')).status).toBe(200);
  });
});
