import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { systemRoutes, type Route } from '@netaclaw/contracts';
import { z } from 'zod';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Authorizer } from '../src/modules/base/auth/authorize.js';
import { KeyUsage } from '../src/modules/base/auth/key_usage.js';
import { Database } from '../src/modules/base/data/database.js';
import { BaseApiKeyEntity } from '../src/modules/base/entity/api_key.js';
import { bootApp, type TestApp } from './app.js';
import { signIn, TestClient, type Json } from './client.js';

const KEY = '/admin/netaclaw/apiKey';

let app: TestApp;
let admin: TestClient;
let authorizer: Authorizer;
let database: Database;

beforeAll(async () => {
  app = await bootApp();
  admin = await signIn(app);
  authorizer = await app.get(Authorizer);
  database = await app.get(Database);
});
afterAll(async () => {
  await app?.stop();
  await app?.remove();
});

const add = (name: string, more: object = {}): Promise<Json> =>
  admin.ask(`${KEY}/add`, { name, agents: null, ...more });
const update = (body: Json) => admin.post(`${KEY}/update`, body);
const infoOf = async (id: number): Promise<Json> => (await admin.get(`${KEY}/info?id=${id}`)).data;
const sentenceOf = (key: string): Promise<string> =>
  authorizer.identify(key, null).then(
    () => 'accepted',
    (error: unknown) => (error instanceof Error ? error.message : 'unknown'),
  );

/** A route that keys may use, or not. */
const routeFor = (keys: boolean): Route => ({
  ...systemRoutes.live,
  access: { roles: ['admin'], keys },
  answer: z.unknown(),
});

it('is not given for agents that there are not', async () => {
  const body = { name: 'typo', agents: ['demo', 'dmeo'] };
  const { status, body: answer } = await admin.post(`${KEY}/add`, body);
  expect([status, answer.details?.[0]?.path]).toEqual([400, 'agents.1']);
});

describe('an API key', () => {
  it('is shown once: stored hashed, answered without itself ever after', async () => {
    const { key, ...shown } = await add('once', { agents: ['demo'], rateLimit: 5 });
    expect(key).toMatch(/^nc_[\w-]{43}$/);
    expect(shown).toMatchObject({
      name: 'once',
      agents: ['demo'],
      rateLimit: 5,
      hint: key.slice(-4),
      expiresAt: null,
      lastUsedAt: null,
      status: 1,
      version: 1,
    });
    expect(await infoOf(shown.id)).toEqual(shown);
    const answers = await Promise.all([
      admin.post(`${KEY}/page`, { keyWord: 'ONCE' }),
      admin.post('/admin/netaclaw/audit/page', { target: 'apiKey:once' }),
    ]);
    expect(answers[0].data.list).toEqual([shown]);
    expect(answers[1].data.list[0]).toMatchObject({ action: 'apiKey.add', after: shown });
    const [row] = await database.repository(BaseApiKeyEntity).findBy({ id: shown.id });
    const everything = answers.map(({ text }) => text).join('') + JSON.stringify(row);
    expect(everything).not.toContain(key);
    expect(everything).not.toContain(key.slice(3));
    expect(answers[0].text).not.toContain(row?.keyHash);
  });

  it('acts for itself, with its agents and its limit', async () => {
    const { key, id } = await add('itself', { agents: [], rateLimit: 7 });
    expect(await authorizer.identify(key, '10.0.0.1')).toEqual({
      kind: 'key',
      id,
      name: 'itself',
      role: 'client',
      agents: [],
      rateLimit: 7,
      ip: '10.0.0.1',
    });
    const { key: open } = await add('open');
    expect(await authorizer.identify(open, null)).toMatchObject({ agents: null, rateLimit: null });
  });

  it('is no admin: refused with the role that would be needed', async () => {
    const { key } = await add('client');
    const client = new TestClient(app.url, key);
    const answer = await client.post(`${KEY}/page`);
    expect([answer.status, answer.body]).toEqual([
      403,
      { code: 1103, message: 'API keys may not do this; sign in with the role admin' },
    ]);
    expect((await client.get('/admin/base/comm/person')).status).toBe(403);
  });

  it('is worth nothing when it is disabled, ran out, was deleted or mistyped', async () => {
    const off = await add('off');
    const late = await add('late', { expiresAt: new Date(Date.now() - 1000).toISOString() });
    const gone = await add('gone');
    expect(await sentenceOf(off.key)).toBe('accepted');
    await update({ id: off.id, version: 1, status: 0 });
    expect(await admin.ask(`${KEY}/delete`, { ids: [gone.id] })).toEqual({ deleted: 1 });
    const sentences = await Promise.all(
      [off.key, late.key, gone.key, `${off.key}x`].map(sentenceOf),
    );
    expect(sentences).toEqual([
      'this API key is disabled',
      'this API key has expired',
      'this API key does not exist',
      'this API key does not exist',
    ]);
    await update({ id: off.id, version: 2, status: 1 });
    expect(await sentenceOf(off.key)).toBe('accepted');
  });

  it('is accepted only where the route says so', async () => {
    const { key } = await add('where');
    const incoming = new IncomingMessage(new Socket());
    incoming.headers.authorization = `Bearer ${key}`;
    const verdict = (keys: boolean) =>
      authorizer.authorize(incoming, routeFor(keys)).then(
        () => 'accepted',
        () => 'refused',
      );
    expect([await verdict(true), await verdict(false)]).toEqual(['accepted', 'refused']);
  });
});

describe('when a key was last used', () => {
  it('is stored behind the request, once a minute, and a change of the key does not clash with it', async () => {
    const { key, id } = await add('used');
    const usage = await app.get(KeyUsage);
    await authorizer.identify(key, null);
    expect((await infoOf(id)).lastUsedAt).toBeNull();
    await usage.flush();
    const first = await infoOf(id);
    expect(Date.now() - Date.parse(first.lastUsedAt)).toBeLessThan(10_000);
    expect(first.version).toBe(1);
    await authorizer.identify(key, null);
    await usage.flush();
    expect((await infoOf(id)).lastUsedAt).toBe(first.lastUsedAt);
  });

  it('by itself is stored soon', async () => {
    const { key, id } = await add('soon');
    await authorizer.identify(key, null);
    await expect.poll(async () => (await infoOf(id)).lastUsedAt, { timeout: 5000 }).not.toBeNull();
  });
});

describe('a change of a key', () => {
  it('keeps what is not named, and is recorded', async () => {
    const added = await add('renamed', { agents: ['demo'], expiresAt: '2099-01-01T00:00:00.000Z' });
    const { data } = await update({ id: added.id, version: 1, name: 'new name' });
    expect(data).toMatchObject({
      name: 'new name',
      agents: ['demo'],
      expiresAt: added.expiresAt,
      version: 2,
    });
    const cleared = await update({ id: added.id, version: 2, agents: null, expiresAt: null });
    expect(cleared.data).toMatchObject({ agents: null, expiresAt: null });
    const { list } = await admin.ask('/admin/netaclaw/audit/page', { target: 'apiKey:new name' });
    expect(list.at(-1)).toMatchObject({
      action: 'apiKey.update',
      before: { name: 'renamed' },
      after: { name: 'new name' },
    });
  });

  it('to a name that is taken, from a stale version, or of a missing key is refused', async () => {
    const [one] = [await add('one'), await add('two')];
    const again = await admin.post(`${KEY}/add`, { name: 'one', agents: null });
    const taken = await update({ id: one.id, version: 1, name: 'two' });
    const stale = await update({ id: one.id, version: 9, name: 'three' });
    const missing = await update({ id: 9999, version: 1, name: 'three' });
    const deleted = await admin.post(`${KEY}/delete`, { ids: [9999] });
    expect(
      [again, taken, stale, missing, deleted].map(({ status, body }) => [status, body.message]),
    ).toEqual([
      [409, 'an API key named one already exists'],
      [409, 'an API key named two already exists'],
      [409, 'this API key was changed by somebody else; read it again'],
      [404, 'API key 9999 does not exist'],
      [404, 'API key 9999 does not exist'],
    ]);
    expect([again, taken, stale].map(({ body }) => body.details.problems)).toEqual([
      [{ path: 'name', message: again.body.message }],
      [{ path: 'name', message: taken.body.message }],
      undefined,
    ]);
    expect(stale.body.details.current).toMatchObject({ name: 'one', version: 1 });
  });

  it.each([
    ['key', { key: 'nc_mine' }],
    ['keyHash', { keyHash: 'x' }],
    ['role', { role: 'admin' }],
    ['lastUsedAt', { lastUsedAt: null }],
  ])('cannot name %s', async (path, fields) => {
    const answer = await update({ id: 1, version: 1, ...fields });
    expect([answer.status, answer.body.details[0].path]).toEqual([400, path]);
  });
});
