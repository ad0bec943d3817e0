import 'reflect-metadata';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Framework, type Application } from '@midwayjs/koa';
import { close, createApp } from '@midwayjs/mock';
import { createConnection } from 'mysql2/promise';
import { appModule } from '../src/app_module.js';

/** The first user's password in tests. */
export const ADMIN_PASSWORD = 'correct-horse-battery';

export interface TestApp {
  url: string;
  dataDir: string;
  /** An object of the container, by its class. */
  get<T>(type: new () => T): Promise<T>;
  /** Stops the server; the data stays. */
  stop(): Promise<void>;
  /** Removes folder and database. */
  remove(): Promise<void>;
}

const testSettings: Record<string, string> = {
  HOST: '127.0.0.1',
  PORT: '0',
  LOG_LEVEL: 'silent',
  ADMIN_PASSWORD,
  EGRESS_ALLOW: '127.0.0.1',
  SHUTDOWN_GRACE_MS: '500',
};

/** True where this test project runs on MySQL or MariaDB instead of the embedded SQLite. */
export const onMysql = process.env.TEST_DATABASE_SERVER !== undefined;

/**
 * Boots the real application on a port of its own with a database of its own. Once per process, which
 * means once per test file: Midway keeps its container in globals.
 */
export async function bootApp(settings: Record<string, string> = {}): Promise<TestApp> {
  const dataDir = mkdtempSync(join(tmpdir(), 'netaclaw-test-'));
  const database = await freshDatabase(process.env.TEST_DATABASE_SERVER);
  delete process.env.DATABASE_URL;
  Object.assign(process.env, {
    ...testSettings,
    DATA_DIR: dataDir,
    ...database.settings,
    ...settings,
  });
  const app = await createApp<Framework>(dataDir, {
    moduleDetector: false,
    moduleLoadType: 'commonjs',
    imports: [appModule],
  });
  return {
    url: `http://127.0.0.1:${portOf(app)}`,
    dataDir,
    get: (type) => app.getApplicationContext().getAsync(type),
    stop: () => close(app),
    async remove() {
      await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function portOf(app: Application): number {
  const framework = app.getFramework();
  const address = framework instanceof Framework ? framework.getServer().address() : null;
  if (typeof address !== 'object' || !address)
    throw new Error('the test application does not listen');
  return address.port;
}

/** A database of its own on `server`; without one, nothing: the embedded one lies in the data folder. */
export async function freshDatabase(
  server: string | undefined,
): Promise<{ settings: Record<string, string>; drop: () => Promise<void> }> {
  if (server === undefined) return { settings: {}, drop: async () => {} };
  const name = `netaclaw_test_${process.pid}_${Date.now().toString(36)}`;
  const connection = await createConnection(server);
  await connection.query(`CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    settings: { DATABASE_URL: url.href },
    async drop() {
      await connection.query(`DROP DATABASE ${name}`);
      await connection.end();
    },
  };
}
