import { TableIndex, type MigrationInterface, type QueryRunner } from 'typeorm';
import { addColumns, columnsFor, createTable, dropColumns } from './columns.js';

const PARENT_INDEX = 'ix_netaclaw_run_parentRunId';

/** Crews; which crew a run and a session belong to; the run that a member's session serves. */
export class Crew1764700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const c = columnsFor(runner);
    await createTable(runner, {
      name: 'netaclaw_crew',
      columns: [
        c.autoId(),
        c.time('createTime'),
        c.time('updateTime'),
        c.varchar('name', 64),
        c.varchar('label', 200),
        c.text('description'),
        c.int('masterAgentId'),
        c.json('members'),
        c.int('maxDepth', { default: 1 }),
        c.int('maxParallel', { default: 8 }),
        c.int('status', { default: 1 }),
        c.int('version', { default: 1 }),
      ],
      indices: [{ columns: ['name'], unique: true }],
    });
    await addColumns(runner, 'netaclaw_session', [
      c.varchar('crew', 64),
      c.varchar('parentRunId', 36),
    ]);
    await addColumns(runner, 'netaclaw_run', [c.varchar('crew', 64)]);
    await runner.createIndex(
      'netaclaw_run',
      new TableIndex({ name: PARENT_INDEX, columnNames: ['parentRunId'] }),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropIndex('netaclaw_run', PARENT_INDEX);
    await dropColumns(runner, 'netaclaw_run', ['crew']);
    await dropColumns(runner, 'netaclaw_session', ['crew', 'parentRunId']);
    await runner.dropTable('netaclaw_crew', true);
  }
}
