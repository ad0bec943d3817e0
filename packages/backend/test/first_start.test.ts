import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Authorizer } from '../src/modules/base/auth/authorize.js';
import { Users } from '../src/modules/base/auth/users.js';
import { dataSourceOptions } from '../src/modules/base/data/data_source.js';
import { Database } from '../src/modules/base/data/database.js';
import { entities } from '../src/entities.js';
import { BaseApiKeyEntity } from '../src/modules/base/entity/api_key.js';
import { BaseUserEntity } from '../src/modules/base/entity/user.js';
import { parseSettings } from '../src/settings.js';
import { bootApp, type TestApp } from './app.js';
import { signIn, TestClient } from './client.js';

let app: TestApp;
let output = '';

beforeAll(async () => {
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    output += String(text);
    return true;
  });
  app = await bootApp({ ADMIN_PASSWORD: '' });
  write.mockRestore();
});
afterAll(() => app?.remove());

const line = /^First sign-in: user admin, password ([\w-]{24}) \(shown only now\)$/m;

it('prints a generated password once, and it works', async () => {
  const [, password = ''] = line.exec(output) ?? [];
  const admin = await signIn(app, 'admin', password);
  expect((await admin.get('/admin/base/comm/person')).data.role).toBe('admin');
  const users = await app.get(Users);
  expect(await users.ensureFirstUser()).toEqual({ generatedPassword: null });
});

it('makes secrets that only their owner can read', () => {
  expect(statSync(join(app.dataDir, 'secrets.json')).mode & 0o777).toBe(0o600);
});

it('makes one first user when several nodes start at once, and one of them knows the password', async () => {
  const [users, database] = [await app.get(Users), await app.get(Database)];
  await database.writeOne((manager) => manager.clear(BaseUserEntity));
  const made = await Promise.all([1, 2, 3].map(() => users.ensureFirstUser()));
  const passwords = made.flatMap(({ generatedPassword }) => generatedPassword ?? []);
  expect(passwords).toHaveLength(1);
  await signIn(app, 'admin', passwords[0]);
  expect(await database.repository(BaseUserEntity).count()).toBe(1);
});

it('stores the last use of a key even when the server stops right after it', async () => {
  const [users, database] = [await app.get(Users), await app.get(Database)];
  await database.writeOne((manager) => manager.clear(BaseUserEntity));
  const { generatedPassword } = await users.ensureFirstUser();
  const admin = await signIn(app, 'admin', generatedPassword ?? '');
  const { key } = await admin.ask('/admin/netaclaw/apiKey/add', { name: 'last', agents: null });
  await (await app.get(Authorizer)).identify(key, null);
  await app.stop();
  await expect(new TestClient(app.url).get('/health/live')).rejects.toThrow('fetch failed');
  const options = dataSourceOptions(parseSettings(process.env), entities);
  const source = await new DataSource({ ...options, migrations: [] }).initialize();
  const row = await source.getRepository(BaseApiKeyEntity).findOneByOrFail({ name: 'last' });
  await source.destroy();
  expect(row.lastUsedAt).not.toBeNull();
});
