import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN_PASSWORD, bootApp, type TestApp } from './app.js';
import { signIn, TestClient, type Json } from './client.js';
import { addPerson, PASSWORD } from './people.js';

const USER = '/admin/base/user';
const PERSON = '/admin/base/comm/person';

let app: TestApp;
let admin: TestClient;

beforeAll(async () => {
  app = await bootApp();
  admin = await signIn(app);
});
afterAll(async () => {
  await app?.stop();
  await app?.remove();
});

const update = (body: Json) => admin.post(`${USER}/update`, body);
const infoOf = async (id: number): Promise<Json> => (await admin.get(`${USER}/info?id=${id}`)).data;
const roleOf = async (client: TestClient) => (await client.get(PERSON)).data?.role;

describe('a user', () => {
  it('is added, read back, found and deleted, and the audit knows', async () => {
    const added = await admin.ask(`${USER}/add`, {
      username: 'ann',
      password: PASSWORD,
      role: 'viewer',
    });
    expect(added).toEqual({
      id: expect.any(Number),
      username: 'ann',
      role: 'viewer',
      status: 1,
      version: 1,
      createTime: expect.stringMatching(/^\d{4}-.*Z$/),
      updateTime: added.createTime,
    });
    expect(await infoOf(added.id)).toEqual(added);
    const page = await admin.ask(`${USER}/page`, { keyWord: 'NN', order: 'username', sort: 'asc' });
    expect(page).toEqual({ list: [added], pagination: { page: 1, size: 20, total: 1 } });
    expect(await admin.ask(`${USER}/delete`, { ids: [added.id] })).toEqual({ deleted: 1 });
    expect((await admin.get(`${USER}/info?id=${added.id}`)).status).toBe(404);
    const audit = await admin.ask('/admin/netaclaw/audit/page', { target: 'user:ann' });
    expect(
      audit.list.map(({ action, actor, before, after }: Json) => [action, actor, before, after]),
    ).toEqual([
      ['user.delete', 'user:admin', added, null],
      ['user.add', 'user:admin', null, added],
    ]);
  });

  it('with a name that is taken is a conflict', async () => {
    const answer = await admin.post(`${USER}/add`, {
      username: 'admin',
      password: PASSWORD,
      role: 'viewer',
    });
    expect([answer.status, answer.body]).toEqual([
      409,
      {
        code: 1109,
        message: 'a user named admin already exists',
        details: { problems: [{ path: 'username', message: 'a user named admin already exists' }] },
      },
    ]);
  });

  it.each([
    ['a short password', { username: 'x', password: 'short', role: 'viewer' }, 'password'],
    ['an unknown role', { username: 'x', password: PASSWORD, role: 'root' }, 'role'],
    ['a name with a space', { username: 'a b', password: PASSWORD, role: 'viewer' }, 'username'],
    ['an unknown field', { username: 'x', password: PASSWORD, role: 'viewer', id: 1 }, 'id'],
  ])('with %s is refused with its path', async (_, body, path) => {
    const answer = await admin.post(`${USER}/add`, body);
    expect([answer.status, answer.body.details.map((problem: Json) => problem.path)]).toEqual([
      400,
      [path],
    ]);
  });

  it('that does not exist is not found', async () => {
    const answers = await Promise.all([
      admin.get(`${USER}/info?id=9999`),
      update({ id: 9999, role: 'viewer' }),
      admin.post(`${USER}/delete`, { ids: [9999] }),
    ]);
    expect(answers.map(({ status, body }) => [status, body.message])).toEqual(
      Array.from({ length: 3 }, () => [404, 'user 9999 does not exist']),
    );
  });

  it('is not sorted by a column that is not in the whitelist', async () => {
    const answer = await admin.post(`${USER}/page`, { order: 'passwordHash' });
    expect([answer.status, answer.body.details[0].path]).toEqual([400, 'order']);
  });

  it('is deleted together with others or not at all', async () => {
    const { user } = await addPerson(app, admin, { username: 'stays', role: 'viewer' });
    expect((await admin.post(`${USER}/delete`, { ids: [user.id, 9999] })).status).toBe(404);
    expect((await infoOf(user.id)).username).toBe('stays');
  });
});

describe('a change', () => {
  it('of the role counts on the very next request, with the old token', async () => {
    const { user, client } = await addPerson(app, admin, { username: 'riser', role: 'viewer' });
    expect((await client.post(`${USER}/page`)).status).toBe(403);
    await update({ id: user.id, role: 'admin' });
    expect((await client.post(`${USER}/page`)).status).toBe(200);
    await update({ id: user.id, role: 'operator' });
    const refused = await client.post(`${USER}/page`);
    expect([refused.status, refused.body.message]).toEqual([
      403,
      'this needs the role admin; yours is operator',
    ]);
    expect(await roleOf(client)).toBe('operator');
  });

  it('that disables makes tokens worthless at once, and enabling does not bring them back', async () => {
    const { user, client } = await addPerson(app, admin, { username: 'off', role: 'viewer' });
    await update({ id: user.id, status: 0 });
    expect((await client.get(PERSON)).status).toBe(401);
    const login = { username: 'off', password: PASSWORD };
    const refused = await admin.post('/admin/base/open/login', login);
    expect([refused.status, refused.body.message]).toEqual([401, 'this user is disabled']);
    await update({ id: user.id, status: 1 });
    expect((await client.get(PERSON)).status).toBe(401);
    expect(await roleOf(await signIn(app, 'off', PASSWORD))).toBe('viewer');
  });

  it('of the password ends all sign-ins of the user', async () => {
    const { user, client } = await addPerson(app, admin, { username: 'reset', role: 'viewer' });
    await update({ id: user.id, password: 'a new long password' });
    expect((await client.get(PERSON)).status).toBe(401);
    await signIn(app, 'reset', 'a new long password');
  });

  it('from a stale version is a conflict that shows what stands there', async () => {
    const { user } = await addPerson(app, admin, { username: 'versioned', role: 'viewer' });
    expect((await update({ id: user.id, version: 1, role: 'operator' })).data.version).toBe(2);
    const stale = await update({ id: user.id, version: 1, role: 'admin' });
    expect([stale.status, stale.body.details.current.role]).toEqual([409, 'operator']);
    expect((await update({ id: user.id, role: 'viewer' })).data).toMatchObject({
      role: 'viewer',
      version: 3,
    });
  });

  it('is recorded with before and after, and never with the password', async () => {
    const { user } = await addPerson(app, admin, { username: 'watched', role: 'viewer' });
    await update({ id: user.id, password: 'a very secret password', role: 'operator' });
    const { list } = await admin.ask('/admin/netaclaw/audit/page', {
      target: 'user:watched',
      action: 'user.update',
    });
    expect(list).toHaveLength(1);
    expect(list[0].before).toMatchObject({ role: 'viewer', version: 1 });
    expect(list[0].after).toMatchObject({ role: 'operator', version: 2, passwordChanged: true });
    const everything = await admin.post('/admin/netaclaw/audit/page', { size: 200 });
    expect(everything.text).not.toMatch(/a very secret password|scrypt|correct-horse/);
  });
});

describe('the last active admin', () => {
  const rule = 'this is the last active admin; make another user admin first';

  it('is neither demoted nor disabled', async () => {
    const answers = await Promise.all([
      update({ id: 1, role: 'viewer' }),
      update({ id: 1, status: 0 }),
    ]);
    expect(answers.map(({ status, body }) => [status, body.message])).toEqual([
      [409, rule],
      [409, rule],
    ]);
    expect(await roleOf(admin)).toBe('admin');
  });

  it('may go once there is another, who is the last one then', async () => {
    const { user, client } = await addPerson(app, admin, { username: 'heir', role: 'admin' });
    expect((await client.post(`${USER}/update`, { id: 1, role: 'operator' })).status).toBe(200);
    expect((await client.post(`${USER}/update`, { id: user.id, status: 0 })).body.message).toBe(
      rule,
    );
    await client.ask(`${USER}/update`, { id: 1, role: 'admin' });
    expect((await admin.post(`${USER}/delete`, { ids: [user.id] })).status).toBe(200);
  });

  it('is left when two admins demote each other at the same moment', async () => {
    const { user, client } = await addPerson(app, admin, { username: 'rival', role: 'admin' });
    const answers = await Promise.all([
      admin.post(`${USER}/update`, { id: user.id, role: 'viewer' }),
      client.post(`${USER}/update`, { id: 1, role: 'viewer' }),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const roles = await Promise.all([roleOf(admin), roleOf(client)]);
    expect(roles.filter((role) => role === 'admin')).toHaveLength(1);
    const winner = roles[0] === 'admin' ? admin : client;
    await winner.ask(`${USER}/update`, { id: 1, role: 'admin' });
  });

  it('and nobody else deletes themselves', async () => {
    const answer = await admin.post(`${USER}/delete`, { ids: [1] });
    expect([answer.status, answer.body.message]).toEqual([
      409,
      'nobody can delete their own user; ask another admin',
    ]);
  });
});

it('shows no password and no hash in any answer', async () => {
  const page = await admin.post(`${USER}/page`, { size: 200 });
  expect(page.data.list.length).toBeGreaterThan(3);
  expect(page.text).not.toMatch(/password|scrypt/i);
  expect(page.text).not.toContain(ADMIN_PASSWORD);
});
