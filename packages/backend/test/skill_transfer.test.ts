import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer, Json } from './client.js';
import { addPerson } from './people.js';
import { auditOf, startScenario, type Scenario } from './scenario.js';
import {
  renamed,
  SKILL,
  skillInfo,
  skillText,
  upload,
  zipOf,
  type ZipEntry,
} from './skill_scene.js';

let scenario: Scenario;
beforeAll(async () => {
  scenario = await startScenario();
});
afterAll(() => scenario?.end());

const importZip = async (zip: Buffer, more: Json = {}): Promise<Answer> =>
  scenario.admin.post(`${SKILL}/import`, {
    fileId: await upload(scenario.admin, 'skill.zip', zip),
    ...more,
  });

async function importFolder(files: Record<string, string>, more: Json = {}): Promise<Answer> {
  const list: Json[] = [];
  for (const [path, content] of Object.entries(files)) {
    list.push({ path, fileId: await upload(scenario.admin, 'part', content) });
  }
  return scenario.admin.post(`${SKILL}/import`, { files: list, ...more });
}

async function exportZip(id: number, number?: number): Promise<Buffer> {
  const { url, token } = scenario.admin;
  const response = await fetch(`${url}${SKILL}/export`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ id, ...(number === undefined ? {} : { number }) }),
  });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-disposition')).toMatch(/attachment.*\.zip$/);
  return Buffer.from(await response.arrayBuffer());
}

const problemsOf = ({ status, body, text }: Answer): Json[] => {
  expect([status, text]).toEqual([400, expect.anything()]);
  return body.details;
};

const binary = Buffer.from([0, 255, 1, 254, 2]);
const entries = (name: string): ZipEntry[] => [
  { path: `${name}/SKILL.md`, content: skillText(name, { body: 'See scripts/run.py.' }) },
  { path: `${name}/scripts/run.py`, content: 'print("hi")\n' },
  { path: `${name}/资料/图.bin`, content: binary },
];

describe('an import', () => {
  it('of a zip stores the skill with its files, and an export gives the same back', async () => {
    const { admin } = scenario;
    const { data: skill } = await importZip(await zipOf(entries('packed')));
    expect(skill).toMatchObject({ name: 'packed', status: 'draft', latestNumber: 1 });
    const info = await skillInfo(admin, skill.id);
    expect(info.files).toEqual([
      { path: 'scripts/run.py', size: 12, text: 'print("hi")\n' },
      { path: '资料/图.bin', size: 5, text: null },
    ]);
    const zip = await exportZip(skill.id);
    const again = await importZip(zip, { version: skill.version });
    expect(again.data).toMatchObject({ id: skill.id, version: 2, latestNumber: 1 });
    expect((await skillInfo(admin, skill.id)).shown.hash).toBe(info.shown.hash);
    expect(await exportZip(skill.id, 1)).toEqual(zip);
    const actions = (await auditOf(admin, 'skill:packed')).map(({ action }) => action);
    expect(actions).toEqual(['skill.import', 'skill.import']);
  });

  it('of a folder, of a zip without a folder and of a SKILL.md alone gives the same skill', async () => {
    const text = skillText('same');
    const folder = await importFolder({ 'same/SKILL.md': text, 'same/.DS_Store': 'x' });
    const hashes = [(await skillInfo(scenario.admin, folder.data.id)).shown.hash];
    const sources: [string, Uint8Array | string][] = [
      ['a.zip', await zipOf([{ path: 'SKILL.md', content: text }])],
      ['SKILL.md', text],
    ];
    let { version } = folder.data;
    for (const [name, bytes] of sources) {
      const fileId = await upload(scenario.admin, name, bytes);
      const skill = await scenario.admin.ask(`${SKILL}/import`, { fileId, version });
      ({ version } = skill);
      hashes.push((await skillInfo(scenario.admin, skill.id)).shown.hash);
    }
    expect(new Set(hashes).size).toBe(1);
  });

  it('over a skill that is there is a conflict, unless its version is named', async () => {
    const zip = await zipOf(entries('there'));
    const { data: skill } = await importZip(zip);
    const blind = await importZip(zip);
    expect([blind.status, blind.body.details.current]).toEqual([409, skill]);
    expect((await importZip(zip, { version: skill.version })).status).toBe(200);
    expect((await importZip(zip, { version: skill.version })).status).toBe(409);
  });

  it('replaces the files of a draft, and the text alone leaves them', async () => {
    const { data: skill } = await importZip(await zipOf(entries('files')));
    const content = skillText('files', { body: 'Another text.' });
    const { id } = skill;
    const changed = await scenario.admin.ask(`${SKILL}/update`, { id, version: 1, content });
    expect((await skillInfo(scenario.admin, id)).files).toHaveLength(2);
    const files = { 'SKILL.md': content, 'only.txt': 'x' };
    expect((await importFolder(files, { version: changed.version })).status).toBe(200);
    const info = await skillInfo(scenario.admin, id);
    expect(info.files.map(({ path }: Json) => path)).toEqual(['only.txt']);
  });

  it("of somebody else's upload is refused", async () => {
    const { app, admin } = scenario;
    const other = await addPerson(app, admin, { username: 'skill-writer', role: 'operator' });
    const fileId = await upload(admin, 'SKILL.md', skillText('mine'));
    expect((await other.client.post(`${SKILL}/import`, { fileId })).status).toBe(404);
  });
});

describe('an import is refused, and the path of each fault is told,', () => {
  it.each([
    ['xx/evil.md', '../evil.md', /out of the folder/],
    ['xetc/evil.md', '/etc/evil.md', /absolute/],
    ['xx/evil.md', 'C:/evil.md', /drive letter/],
    ['xx/evil.md', 'x\\xevil.md', /backslash/],
    ['xx/evil.md', 'xx/ev\nl.md', /control/],
    ['xx/evil.md', 'xx//vil.md', /empty part/],
    ['SKILL2md', 'SKILL.md', /twice/],
    ['SKILL2md', 'Skill.MD', /twice/],
  ])('for the entry %s renamed to %j', async (from, to, sentence) => {
    const zip = await zipOf([
      { path: 'SKILL.md', content: skillText('bad') },
      { path: from, content: 'x' },
    ]);
    const [problem] = problemsOf(await importZip(renamed(zip, from, to)));
    expect(problem).toEqual({
      path: to.replaceAll('\n', '\uFFFD'),
      message: expect.stringMatching(sentence),
    });
  });

  it('for a path in a folder upload that leads out of it', async () => {
    const answer = await importFolder({
      'SKILL.md': skillText('bad'),
      '../evil': 'x',
      '/etc/a': 'x',
    });
    expect(problemsOf(answer).map(({ path }) => path)).toEqual(['../evil', '/etc/a']);
  });

  it('for a link', async () => {
    const zip = await zipOf([
      { path: 'SKILL.md', content: skillText('bad') },
      { path: 'passwd', content: '/etc/passwd', mode: 0o120777 },
    ]);
    expect(problemsOf(await importZip(zip))).toEqual([
      { path: 'passwd', message: expect.stringMatching(/link/) },
    ]);
  });

  it('for a file, a number of files or a whole that is too large', async () => {
    const skill = { path: 'SKILL.md', content: skillText('bad') };
    const nulls = (size: number): Buffer => Buffer.alloc(size);
    const MIB = 1024 * 1024;
    const large = await importZip(await zipOf([skill, { path: 'a', content: nulls(MIB + 1) }]));
    expect(problemsOf(large)).toEqual([{ path: 'a', message: expect.stringMatching(/1 MiB/) }]);
    const parts = Array.from({ length: 9 }, (_, index) => ({
      path: `${index}`,
      content: nulls(MIB),
    }));
    const bomb = await zipOf([skill, ...parts]);
    expect(bomb.length).toBeLessThan(50_000);
    expect(problemsOf(await importZip(bomb))[0].message).toMatch(/8 MiB/);
    const many = Array.from({ length: 201 }, (_, index) => ({ path: `${index}`, content: '' }));
    expect(problemsOf(await importZip(await zipOf([skill, ...many])))[0].message).toMatch(/200/);
    const crowd = Array.from({ length: 2_000 }, (_, index) => ({ path: `${index}`, content: '' }));
    expect(problemsOf(await importZip(await zipOf([skill, ...crowd])))[0].message).toMatch(/200/);
  });

  it('for a zip that says less of an entry than is in it', async () => {
    const zip = await zipOf([
      { path: 'SKILL.md', content: skillText('bad') },
      { path: 'liar', content: Buffer.alloc(500_000) },
    ]);
    const said = Buffer.alloc(4);
    said.writeUInt32LE(500_000);
    const claimed = Buffer.alloc(4);
    claimed.writeUInt32LE(10);
    const text = zip
      .toString('latin1')
      .replaceAll(said.toString('latin1'), claimed.toString('latin1'));
    const lying = Buffer.from(text, 'latin1');
    expect(lying.equals(zip)).toBe(false);
    expect(problemsOf(await importZip(lying))).toHaveLength(1);
  });

  it('for a damaged entry, a broken zip and a text that is none', async () => {
    const zip = await zipOf([{ path: 'SKILL.md', content: skillText('bad'), stored: true }]);
    expect(problemsOf(await importZip(renamed(zip, 'Do it.', 'Do no!')))).toEqual([
      { path: 'SKILL.md', message: expect.stringMatching(/damaged/) },
    ]);
    const broken = [zip.subarray(0, zip.length - 10), Buffer.from('PK\u0003\u0004nonsense')];
    for (const bytes of broken) expect(problemsOf(await importZip(bytes))).toHaveLength(1);
    const latin = Buffer.concat([Buffer.from(skillText('bad')), Buffer.from([0xff])]);
    const answer = await importZip(await zipOf([{ path: 'SKILL.md', content: latin }]));
    expect(problemsOf(answer)).toEqual([
      { path: 'SKILL.md', message: expect.stringMatching(/UTF-8/) },
    ]);
  });

  it('without a SKILL.md, with two skills, or with a fault in the text', async () => {
    expect(problemsOf(await importFolder({ 'a/readme.md': 'x' }))[0].path).toBe('SKILL.md');
    const two = { 'a/SKILL.md': skillText('a'), 'b/SKILL.md': skillText('b') };
    expect(problemsOf(await importFolder(two)).map(({ path }) => path)).toEqual(['b/SKILL.md']);
    const text = '---\nname: a\ndescription: Use when: asked\n---\n';
    expect(problemsOf(await importFolder({ 'a/SKILL.md': text }))).toEqual([
      { path: 'SKILL.md', message: expect.stringMatching(/line 3/) },
    ]);
  });

  it('with neither a file nor files, or with both', async () => {
    const { admin } = scenario;
    const fileId = await upload(admin, 'SKILL.md', skillText('both'));
    for (const body of [{}, { fileId, files: [{ path: 'SKILL.md', fileId }] }]) {
      const answer = await admin.post(`${SKILL}/import`, body);
      expect([answer.status, answer.body.details[0].path]).toEqual([400, 'fileId']);
    }
  });
});
