import { pageBodyOf } from '@netaclaw/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bootApp, type TestApp } from '../../../../test/app.js';
import { BaseAuditEntity } from '../entity/audit.js';
import { BaseCounterEntity } from '../entity/counter.js';
import { BaseUserEntity } from '../entity/user.js';
import { Database } from './database.js';
import { isUniqueViolation } from './errors.js';
import { filteredRows, pageQuery, type PageOptions } from './page_query.js';
import { jsonOf, timeOf, type RawTime } from './raw.js';
import { versionedUpdate } from './versioned_update.js';

/** What every other part relies on, whichever database is behind it. */
let app: TestApp;
let database: Database;

beforeAll(async () => {
  app = await bootApp();
  database = await app.get(Database);
});
afterAll(async () => {
  await app?.stop();
  await app?.remove();
});
beforeEach(async () => {
  await database.write(async (manager) => {
    await manager.clear(BaseAuditEntity);
    await manager.clear(BaseCounterEntity);
    await manager.clear(BaseUserEntity);
  });
});

const at = new Date('2026-02-28T23:59:59.987Z');
const userRow = (username: string) => ({
  username,
  passwordHash: 'x',
  role: 'viewer' as const,
  createTime: at,
  updateTime: at,
});
const auditRow = (target: string, more: { before?: object; at?: Date } = {}) => ({
  at,
  actor: 'user:admin',
  action: 'tool.update' as const,
  target,
  ...more,
});

async function addUser(username: string): Promise<number> {
  const { identifiers } = await database.writeOne((manager) =>
    manager.insert(BaseUserEntity, userRow(username)),
  );
  return Number(identifiers[0]?.id);
}

async function addAudit(rows: ReturnType<typeof auditRow>[]): Promise<void> {
  await database.write(async (manager) => {
    for (let from = 0; from < rows.length; from += 400) {
      const query = manager.createQueryBuilder().insert().into(BaseAuditEntity);
      await query
        .values(rows.slice(from, from + 400))
        .updateEntity(false)
        .execute();
    }
  });
}

const counters = async (): Promise<string[]> =>
  (await database.repository(BaseCounterEntity).find({ order: { name: 'asc' } })).map(
    ({ name }) => name,
  );

const refused = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

describe('values', () => {
  it('keeps a time to the millisecond, in UTC', async () => {
    const id = await addUser('ann');
    const user = await database.repository(BaseUserEntity).findOneByOrFail({ id });
    expect(user.createTime.toISOString()).toBe(at.toISOString());
    const rows = await database.source.query<{ createTime: RawTime }[]>(
      'SELECT createTime FROM base_user WHERE id = ?',
      [id],
    );
    expect(rows.map(({ createTime }) => timeOf(createTime))).toEqual([at]);
  });

  it('tells a JSON null from a value, and gives values back as they were', async () => {
    const before = { list: [1, null, 'two'], inner: { off: false, text: '引号"与🦞' } };
    await addAudit([
      auditRow('none'),
      auditRow('some', { before }),
      auditRow('empty', { before: {} }),
    ]);
    const rows = await database.repository(BaseAuditEntity).find({ order: { id: 'asc' } });
    expect(rows.map((row) => row.before)).toEqual([null, before, {}]);
    const raw = await database.source.query<{ target: string; after: unknown }[]>(
      `SELECT target, ${database.isSqlite ? '"before"' : '`before`'} AS after FROM base_audit ORDER BY id`,
    );
    expect(raw.map((row) => jsonOf(row.after))).toEqual([null, before, {}]);
  });

  it('keeps Chinese, emoji and a mebibyte of text', async () => {
    const text = '工具治理🦞'.repeat(1024 * 1024).slice(0, 1024 * 1024);
    await addAudit([auditRow('工具:计算器🧮', { before: { text } })]);
    const [row] = await database.repository(BaseAuditEntity).find();
    expect(row?.target).toBe('工具:计算器🧮');
    expect(row?.before).toEqual({ text });
  });

  it('tells letters of different case apart in names', async () => {
    await addUser('ann');
    await addUser('Ann');
    expect(await database.repository(BaseUserEntity).countBy({ username: 'ann' })).toBe(1);
  });
});

describe('guards', () => {
  it('recognises a value that is taken, and nothing else', async () => {
    await addUser('ann');
    await database.writeOne((manager) =>
      manager.insert(BaseCounterEntity, { name: 'a', value: 1 }),
    );
    const taken = await refused(addUser('ann'));
    const takenKey = await refused(
      database.writeOne((manager) => manager.insert(BaseCounterEntity, { name: 'a', value: 2 })),
    );
    const broken = await refused(database.source.query('SELECT * FROM no_such_table'));
    const verdicts = [taken, takenKey, broken, new Error('x'), null, undefined].map(
      isUniqueViolation,
    );
    expect(verdicts).toEqual([true, true, false, false, false, false]);
  });

  it('stores a change of the version it was made from, and no other', async () => {
    const id = await addUser('ann');
    const change = (version: number, role: 'admin' | 'operator') =>
      database.writeOne((manager) =>
        versionedUpdate(manager, BaseUserEntity, { id, version, set: { role } }),
      );
    expect(await change(1, 'admin')).toBe(true);
    expect(await change(1, 'operator')).toBe(false);
    const user = await database.repository(BaseUserEntity).findOneByOrFail({ id });
    expect(user).toMatchObject({ role: 'admin', version: 2, createTime: at });
    expect(user.updateTime.getTime()).toBeGreaterThan(at.getTime());
    expect(await change(2, 'operator')).toBe(true);
  });

  it('lets one of two changes at once through', async () => {
    const id = await addUser('ann');
    const hits = await Promise.all(
      ['admin' as const, 'operator' as const].map((role) =>
        database.write((manager) =>
          versionedUpdate(manager, BaseUserEntity, { id, version: 1, set: { role } }),
        ),
      ),
    );
    expect(hits.toSorted()).toEqual([false, true]);
  });
});

describe('transactions', () => {
  const add = (name: string, fail: boolean) =>
    database.write(async (manager) => {
      await manager.insert(BaseCounterEntity, { name: `${name}1`, value: 1 });
      await new Promise((resolve) => setTimeout(resolve, 5));
      if (fail) throw new Error('rolled back');
      await manager.insert(BaseCounterEntity, { name: `${name}2`, value: 1 });
    });

  it('are kept apart when they run at once, and rolled back alone', async () => {
    const outcomes = await Promise.allSettled([add('a', false), add('b', true), add('c', false)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await counters()).toEqual(['a1', 'a2', 'c1', 'c2']);
  });

  it('leave a single write beside them alone when they are rolled back', async () => {
    const open = refused(add('a', true));
    await database.writeOne((manager) =>
      manager.insert(BaseCounterEntity, { name: 'beside', value: 1 }),
    );
    await open;
    expect(await counters()).toEqual(['beside']);
  });

  it('do not stop after one that failed', async () => {
    await refused(add('a', true));
    await add('b', false);
    await database.drained();
    expect(await counters()).toEqual(['b1', 'b2']);
  });
});

describe('a page', () => {
  const bodySchema = pageBodyOf(['id', 'at', 'target'], {});
  const page = (body: object, more: Omit<PageOptions<BaseAuditEntity>, 'request'> = {}) =>
    pageQuery(database.repository(BaseAuditEntity), {
      keyWordColumns: ['target', 'actor'],
      ...more,
      request: bodySchema.parse(body),
    });
  const targets = async (body: object, more?: Omit<PageOptions<BaseAuditEntity>, 'request'>) =>
    (await page(body, more)).list.map(({ target }) => target);

  it('is ordered, with the id to break ties, so that no row is shown twice or left out', async () => {
    await addAudit(Array.from({ length: 30 }, (_, index) => auditRow(`t${index % 3}`)));
    const seen: number[] = [];
    for (const number of [1, 2, 3, 4]) {
      const { list } = await page({ page: number, size: 8, order: 'target', sort: 'asc' });
      seen.push(...list.map(({ id }) => id));
    }
    expect(new Set(seen).size).toBe(30);
    const { list } = await page({ size: 30, order: 'target', sort: 'desc' });
    expect(list.map(({ id }) => id)).toEqual(seen.toReversed());
  });

  it('shows the newest first, unless it is told otherwise', async () => {
    await addAudit(['a', 'b', 'c'].map((name) => auditRow(name)));
    expect(await targets({})).toEqual(['c', 'b', 'a']);
    expect(await targets({ sort: 'asc' })).toEqual(['a', 'b', 'c']);
    expect(await targets({}, { order: { column: 'target', sort: 'asc' } })).toEqual([
      'a',
      'b',
      'c',
    ]);
  });

  it('looks for a key word as it is written, in any case', async () => {
    const names = ['100%', '1000', 'a_b', 'axb', 'back\\slash', 'wow!', '工具箱', 'MiXed'];
    await addAudit(names.map((name) => auditRow(name)));
    const found = await Promise.all(
      ['0%', '_', '\\', '!', '具', 'mIxED', "' OR 1=1 --", ' a_b '].map((keyWord) =>
        targets({ keyWord }),
      ),
    );
    expect(found).toEqual([
      ['100%'],
      ['a_b'],
      ['back\\slash'],
      ['wow!'],
      ['工具箱'],
      ['MiXed'],
      [],
      ['a_b'],
    ]);
    expect(await targets({ keyWord: 'USER:', size: 3 })).toHaveLength(3);
  });

  it('filters by equal values and by time, both ends included', async () => {
    const times = [0, 1, 2, 3].map((ms) => new Date(at.getTime() + ms));
    await addAudit(times.map((time, index) => auditRow(`t${index}`, { at: time })));
    const ranges = { at: { from: times[1]?.toISOString(), to: times[2]?.toISOString() } };
    expect(await targets({}, { ranges })).toEqual(['t2', 't1']);
    expect(await targets({}, { equal: { target: 't3', actor: undefined } })).toEqual(['t3']);
    const rows = await filteredRows(database.repository(BaseAuditEntity), { ranges }).getMany();
    expect(rows).toHaveLength(2);
  });

  it('reads the last page of many rows, and an empty one beyond it', async () => {
    await addAudit(Array.from({ length: 2050 }, (_, index) => auditRow(`t${index}`)));
    const last = await page({ page: 21, size: 100, order: 'at' });
    expect(last.list).toHaveLength(50);
    expect(last.pagination).toEqual({ page: 21, size: 100, total: 2050 });
    expect((await page({ page: 22, size: 100 })).list).toEqual([]);
  });

  it('reads only the columns that are asked for', async () => {
    await addAudit([auditRow('a', { before: { large: true } })]);
    const { list } = await page({}, { columns: ['target'] });
    expect(list).toEqual([{ id: expect.any(Number), target: 'a' }]);
  });

  it('refuses a column that is not in the whitelist, or not in the table', async () => {
    expect(bodySchema.safeParse({ order: 'passwordHash' }).success).toBe(false);
    await addAudit([auditRow('a')]);
    const request = { page: 1, size: 20, order: 'id; DROP TABLE base_user' };
    await expect(pageQuery(database.repository(BaseAuditEntity), { request })).rejects.toThrow(
      'no column',
    );
  });
});

describe('migrations', () => {
  it('are harmless the second time', async () => {
    await addUser('ann');
    await database.migrate();
    await database.migrate();
    expect(await database.repository(BaseUserEntity).count()).toBe(1);
  });

  it('go all the way down, and up again', async () => {
    const runner = database.source.createQueryRunner();
    for (const _ of database.source.migrations) await database.source.undoLastMigration();
    expect(await runner.hasTable('base_user')).toBe(false);
    await database.migrate();
    expect(await runner.hasTable('base_user')).toBe(true);
    await runner.release();
    expect(await addUser('ann')).toBe(1);
  });
});
