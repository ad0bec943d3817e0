import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Audit, type AuditEntry } from '../src/modules/base/audit/audit.js';
import { Database } from '../src/modules/base/data/database.js';
import { bootApp, type TestApp } from './app.js';
import { signIn, type Json, type TestClient } from './client.js';

const PAGE = '/admin/netaclaw/audit/page';
const EXPORT = '/admin/netaclaw/audit/export';

let app: TestApp;
let admin: TestClient;
let audit: Audit;
let database: Database;

beforeAll(async () => {
  app = await bootApp();
  admin = await signIn(app);
  audit = await app.get(Audit);
  database = await app.get(Database);
});
afterAll(async () => {
  await app?.stop();
  await app?.remove();
});

const call = (target: string, more: Partial<AuditEntry> = {}): AuditEntry => ({
  actor: {
    kind: 'key',
    id: 1,
    name: 'reports',
    role: 'client',
    agents: null,
    rateLimit: null,
    ip: '10.0.0.7',
  },
  action: 'tool.call',
  target,
  ...more,
});
const rowsOf = async (body: object): Promise<Json[]> => (await admin.ask(PAGE, body)).list;

describe('the audit', () => {
  it('says who did what to what, from where and when', async () => {
    await audit.recordMany([
      call('tool:bash', { after: { arguments: { command: 'ls' }, status: 'ok' } }),
    ]);
    const [row] = await rowsOf({ target: 'tool:bash' });
    expect(row).toEqual({
      id: expect.any(Number),
      actor: 'key:reports',
      action: 'tool.call',
      target: 'tool:bash',
      before: null,
      after: { arguments: { command: 'ls' }, status: 'ok' },
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*\.\d{3}Z$/),
      ip: '10.0.0.7',
    });
    expect(Math.abs(Date.now() - Date.parse(row.at))).toBeLessThan(10_000);
  });

  it('knows the sign-in of the caller, with the address', async () => {
    const [row] = await rowsOf({ action: 'user.login' });
    expect(row).toMatchObject({ actor: 'user:admin', target: 'user:admin', ip: '127.0.0.1' });
  });

  it('names the server itself where nobody acted', async () => {
    await audit.recordMany([call('tools', { actor: null, action: 'tool.sync' })]);
    expect((await rowsOf({ action: 'tool.sync' }))[0]).toMatchObject({ actor: 'system', ip: null });
  });

  it('goes with the change: rolled back together', async () => {
    const change = database.write(async (manager) => {
      await audit.record(manager, call('tool:rolled-back'));
      throw new Error('the change failed');
    });
    await expect(change).rejects.toThrow('the change failed');
    expect(await rowsOf({ target: 'tool:rolled-back' })).toEqual([]);
  });

  it('holds no secret and no more than it should', async () => {
    const after = {
      apiKey: 'sk-canary',
      headers: { Authorization: 'Bearer canary' },
      text: 'x'.repeat(100_000),
    };
    await audit.recordMany([
      call(`tool:${'long'.repeat(100)}`, { after, before: { password: 'canary' } }),
    ]);
    const answer = await admin.post(PAGE, { keyWord: 'longlong' });
    expect(answer.data.list[0].after).toMatchObject({
      apiKey: '[secret]',
      headers: { Authorization: '[secret]' },
    });
    expect(answer.text).not.toContain('canary');
    expect(answer.text.length).toBeLessThan(5000);
  });

  it('takes many calls at once, and none', async () => {
    await audit.recordMany([]);
    await audit.recordMany(
      Array.from({ length: 1001 }, (_, index) => call(`tool:many`, { after: { index } })),
    );
    const { list, pagination } = await admin.ask(PAGE, { target: 'tool:many', size: 2 });
    expect(pagination.total).toBe(1001);
    expect(list.map(({ after }: Json) => after.index)).toEqual([1000, 999]);
  });

  it('is filtered by actor, action, time and a part of the target', async () => {
    expect(
      (await rowsOf({ actor: 'user:admin' })).every(({ actor }) => actor === 'user:admin'),
    ).toBe(true);
    expect(await rowsOf({ to: '2000-01-01T00:00:00Z' })).toEqual([]);
    expect((await rowsOf({ from: '2000-01-01T00:00:00Z', keyWord: 'BASH' })).length).toBe(1);
    const wrong = await admin.post(PAGE, { action: 'no.such', order: 'before' });
    expect([wrong.status, wrong.body.details.map(({ path }: Json) => path)]).toEqual([
      400,
      ['order', 'action'],
    ]);
  });
});

describe('the export', () => {
  it('is a CSV file to download, whole and newest first', async () => {
    const answer = await admin.post(EXPORT, { target: 'tool:many' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="audit.csv"');
    const lines = answer.text.replace(/^\uFEFF/, '').split('\r\n');
    expect(lines[0]).toBe('id,at,actor,action,target,before,after,ip');
    expect(lines).toHaveLength(1003);
    expect(lines[1]).toMatch(
      /^\d+,\d{4}-.*Z,key:reports,tool\.call,tool:many,,"\{""index"":1000\}",10\.0\.0\.7$/,
    );
    expect(lines[1001]).toContain('{""index"":0}');
    expect(lines[1002]).toBe('');
  });

  it('begins with a byte order mark', async () => {
    const response = await fetch(app.url + EXPORT, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${admin.token}` },
      body: JSON.stringify({ target: 'none' }),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  });

  it('shows no formula to a spreadsheet', async () => {
    const names = ['=HYPERLINK("http://x")', '+1', '-1', '@SUM(1)', '\tx'];
    await audit.recordMany(names.map((target) => call(target, { action: 'agent.add' })));
    const { text } = await admin.post(EXPORT, { action: 'agent.add' });
    expect(
      text
        .split('\r\n')
        .slice(1, 6)
        .map((line) => line.split(',agent.add,')[1]),
    ).toEqual([
      '"\'\tx",,,10.0.0.7',
      "'@SUM(1),,,10.0.0.7",
      "'-1,,,10.0.0.7",
      "'+1,,,10.0.0.7",
      '"\'=HYPERLINK(""http://x"")",,,10.0.0.7',
    ]);
  });

  it('stops reading when the reader hangs up', async () => {
    await database.write(async (manager) => {
      for (let chunk = 0; chunk < 20; chunk++) {
        await audit.record(
          manager,
          ...Array.from({ length: 400 }, () =>
            call('tool:big', { after: { text: 'x'.repeat(1900) } }),
          ),
        );
      }
    });
    const reading = watchReading();
    const abort = new AbortController();
    const response = await fetch(app.url + EXPORT, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${admin.token}` },
      body: '{}',
      signal: abort.signal,
    });
    await response.body?.getReader().read();
    abort.abort();
    await expect.poll(() => reading.ended).toBe(true);
    expect(reading.chunks).toBeLessThan(16);
  });
});

/** Counts what an export reads, and notices when it stops. */
function watchReading(): { chunks: number; ended: boolean } {
  const reading = { chunks: 0, ended: false };
  const all = audit.all.bind(audit);
  vi.spyOn(audit, 'all').mockImplementation(async function* (filters) {
    try {
      for await (const rows of all(filters)) {
        reading.chunks += 1;
        yield rows;
      }
    } finally {
      reading.ended = true;
    }
  });
  return reading;
}
