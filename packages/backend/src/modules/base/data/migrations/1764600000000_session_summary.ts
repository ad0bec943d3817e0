import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addColumns, columnsFor, dropColumns } from './columns.js';

const TABLE = 'netaclaw_session';

/** Notes on a session's older turns, and up to which run they go. */
export class SessionSummary1764600000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const c = columnsFor(runner);
    const optional = { isNullable: true };
    await addColumns(runner, TABLE, [
      c.text('summary', optional),
      c.varchar('summaryUpTo', 36, optional),
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropColumns(runner, TABLE, ['summary', 'summaryUpTo']);
  }
}
