import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addColumns, columnsFor, createTable, dropColumns } from './columns.js';

/** Skills with their versions and files; which of its skills an agent has pinned. */
export class Skill1764900000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const c = columnsFor(runner);
    await createTable(runner, {
      name: 'netaclaw_skill',
      columns: [
        c.autoId(),
        c.time('createTime'),
        c.time('updateTime'),
        c.varchar('name', 64),
        c.text('description'),
        c.varchar('status', 20),
        c.int('publishedNumber', { isNullable: true }),
        c.int('latestNumber', { default: 1 }),
        c.int('version', { default: 1 }),
      ],
      indices: [{ columns: ['name'], unique: true }],
    });
    await createVersions(runner);
    await addColumns(runner, 'netaclaw_agent', [c.json('pinnedSkills')]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropColumns(runner, 'netaclaw_agent', ['pinnedSkills']);
    await runner.dropTable('netaclaw_skill_file', true);
    await runner.dropTable('netaclaw_skill_version', true);
    await runner.dropTable('netaclaw_skill', true);
  }
}

async function createVersions(runner: QueryRunner): Promise<void> {
  const c = columnsFor(runner);
  await createTable(runner, {
    name: 'netaclaw_skill_version',
    columns: [
      c.autoId(),
      c.time('createTime'),
      c.time('updateTime'),
      c.int('skillId'),
      c.int('number'),
      c.varchar('status', 20),
      c.text('content'),
      c.varchar('hash', 64),
      c.text('description'),
      c.json('allowedTools'),
      c.int('tokens'),
      c.varchar('author', 120),
      c.varchar('approvedHash', 64, { isNullable: true }),
      c.varchar('approvedBy', 120, { isNullable: true }),
      c.text('comment', { isNullable: true }),
      c.time('publishedAt', { isNullable: true }),
    ],
    indices: [{ columns: ['skillId', 'number'], unique: true }],
  });
  await createTable(runner, {
    name: 'netaclaw_skill_file',
    columns: [
      c.autoId(),
      c.int('versionId'),
      c.varchar('path', 255),
      c.int('size'),
      c.varchar('encoding', 10),
      c.text('content'),
    ],
    indices: [{ columns: ['versionId', 'path'], unique: true }],
  });
}
