import type { DataSource } from 'typeorm';

const LOCK = 'netaclaw_migration';
const LOCK_SECONDS = 120;

/** Runs the pending migrations. On MySQL under a named lock, since several nodes may boot at once. */
export async function migrate(source: DataSource): Promise<void> {
  if (source.options.type === 'better-sqlite3') {
    await source.runMigrations({ transaction: 'each' });
    return;
  }
  const runner = source.createQueryRunner();
  try {
    await takeLock((sql, values) => runner.query(sql, values));
    await source.runMigrations({ transaction: 'none' });
  } finally {
    await runner.query('SELECT RELEASE_LOCK(?)', [LOCK]);
    await runner.release();
  }
}

async function takeLock(
  query: (sql: string, values: unknown[]) => Promise<{ taken: number | string | null }[]>,
): Promise<void> {
  const rows = await query('SELECT GET_LOCK(?, ?) AS taken', [LOCK, LOCK_SECONDS]);
  if (Number(rows[0]?.taken) === 1) return;
  throw new Error(`another node holds the migration lock for more than ${LOCK_SECONDS} s`);
}
