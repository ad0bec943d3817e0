import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { DataSourceOptions } from 'typeorm';
import type { Settings } from '../../../settings.js';
import { migrations } from './migrations/index.js';
import { makeFolder } from './make_folder.js';

type Entities = (new () => object)[];

/**
 * The one choice between the embedded SQLite file and MySQL or MariaDB. `entities` are all tables of
 * the server.
 */
export const dataSourceOptions = (settings: Settings, entities: Entities): DataSourceOptions =>
  settings.databaseUrl
    ? mysqlOptions(settings.databaseUrl, entities)
    : sqliteOptions(settings.dataDir, entities);

const commonOptions = (entities: Entities) => ({
  entities,
  migrations: [...migrations],
  migrationsRun: false,
  migrationsTableName: 'netaclaw_migration',
  synchronize: false,
  logging: false,
});

function mysqlOptions(url: URL, entities: Entities): DataSourceOptions {
  return {
    ...commonOptions(entities),
    type: 'mysql',
    host: url.hostname,
    port: Number(url.port || 3306),
    username: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: decodeURIComponent(url.pathname.slice(1)),
    timezone: 'Z',
    charset: 'utf8mb4_unicode_ci',
    extra: { connectionLimit: 20 },
  };
}

function sqliteOptions(dataDir: string, entities: Entities): DataSourceOptions {
  makeFolder(dataDir);
  // better-sqlite3's interface, prebuilt in its package: nothing is compiled on a fresh clone.
  const driver: unknown = createRequire(import.meta.url)('libsql');
  return {
    ...commonOptions(entities),
    type: 'better-sqlite3',
    database: join(dataDir, 'netaclaw.sqlite'),
    enableWAL: true,
    timeout: 5000,
    driver,
    prepareDatabase: (database: { pragma(text: string): unknown }) => {
      database.pragma('synchronous = NORMAL');
      // Kibibytes, as a negative number: pages of a large table are read once, not once per page.
      database.pragma('cache_size = -65536');
    },
  };
}
