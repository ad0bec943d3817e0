import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addColumns, columnsFor, createTable, dropColumns } from './columns.js';

/** What agents note about users, and the snapshot of it that a session began with. */
export class Memory1764800000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const c = columnsFor(runner);
    await createTable(runner, {
      name: 'netaclaw_memory',
      columns: [
        c.autoId(),
        c.time('createTime'),
        c.time('updateTime'),
        c.int('agentId'),
        c.varchar('owner', 64),
        c.varchar('ownerName', 200),
        c.text('text'),
        c.int('version', { default: 1 }),
      ],
      indices: [{ columns: ['agentId', 'owner'] }, { columns: ['owner'] }],
    });
    await addColumns(runner, 'netaclaw_session', [c.text('memory')]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropColumns(runner, 'netaclaw_session', ['memory']);
    await runner.dropTable('netaclaw_memory', true);
  }
}
