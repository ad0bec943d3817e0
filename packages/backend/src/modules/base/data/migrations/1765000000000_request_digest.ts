import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addColumns, columnsFor, dropColumns } from './columns.js';

/** What a request with an id asked, so that another one with the same id is not answered by its run. */
export class RequestDigest1765000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const c = columnsFor(runner);
    await addColumns(runner, 'netaclaw_run_request', [c.varchar('digest', 64)]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropColumns(runner, 'netaclaw_run_request', ['digest']);
  }
}
