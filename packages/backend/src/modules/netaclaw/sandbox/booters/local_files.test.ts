import {
  chmod,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { refusal, searchFor } from '../../../../../test/booter_conformance.js';
import { WorkspaceGuard } from '../workspace_guard.js';
import { LocalFiles } from './local_files.js';
import { searchWorkspace } from './local_search.js';

let root: string;
let workspace: string;
let guard: WorkspaceGuard;
let files: LocalFiles;
const at = (path: string): string => join(workspace, path);

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'files-')));
  workspace = join(root, 'workspace');
  await mkdir(workspace);
  await writeFile(join(root, 'secret'), 'secret');
  guard = new WorkspaceGuard({ workspace, readRoots: [] });
  files = new LocalFiles(guard);
});

afterEach(() => rm(root, { recursive: true, force: true }));

describe('readBytes', () => {
  it('takes a file of exactly the limit and refuses one byte more', async () => {
    await writeFile(at('five'), Buffer.from([0, 255, 10, 13, 0]));
    expect(await files.readBytes('five', 5)).toEqual(Buffer.from([0, 255, 10, 13, 0]));
    await expect(files.readBytes('five', 4)).rejects.toMatchObject(refusal('too_large'));
  });

  it('refuses a huge file without reading it, and what lies outside', async () => {
    await writeFile(at('huge'), '');
    await truncate(at('huge'), 50 * 1024 ** 3);
    await symlink(join(root, 'secret'), at('leak'));
    await expect(files.readBytes('huge', 100)).rejects.toMatchObject(refusal('too_large'));
    await expect(files.readBytes('leak', 100)).rejects.toMatchObject(refusal('outside_workspace'));
    await expect(files.readBytes('none', 100)).rejects.toMatchObject(refusal('not_found'));
  });
});

describe('readText', () => {
  it('refuses a huge file without reading it', async () => {
    await writeFile(at('huge'), '');
    await truncate(at('huge'), 50 * 1024 ** 3);
    await expect(files.readText('huge')).rejects.toMatchObject(refusal('too_large'));
  });

  it('refuses what is no UTF-8 text', async () => {
    await writeFile(at('latin'), Buffer.from([0x63, 0xe9]));
    await writeFile(at('binary'), Buffer.from([0x63, 0, 0x63]));
    await expect(files.readText('latin')).rejects.toMatchObject(refusal('not_text'));
    await expect(files.readText('binary')).rejects.toMatchObject(refusal('not_text'));
  });

  it('keeps a byte order mark', async () => {
    await writeFile(at('marked'), '\ufeffx');
    expect(await files.readText('marked')).toBe('\ufeffx');
  });

  it('takes a file of exactly the limit', async () => {
    const small = new LocalFiles(guard, { readBytes: 5, transferBytes: 5, entries: 5 });
    await writeFile(at('five'), '12345');
    expect(await small.readText('five')).toBe('12345');
    await writeFile(at('six'), '123456');
    await expect(small.readText('six')).rejects.toMatchObject(refusal('too_large'));
    await expect(small.download('six', join(root, 'six'))).rejects.toMatchObject(
      refusal('too_large'),
    );
  });
});

describe('writeText', () => {
  it('writes through no link and no second name', async () => {
    await symlink('../secret', at('leak'));
    await link(join(root, 'secret'), at('twin'));
    await expect(files.writeText('leak', 'x')).rejects.toMatchObject(refusal('denied'));
    await expect(files.writeText('twin', 'x')).rejects.toMatchObject(refusal('denied'));
    expect(await readFile(join(root, 'secret'), 'utf8')).toBe('secret');
  });

  it('keeps the permissions of a file it replaces', async () => {
    await writeFile(at('script'), '');
    await chmod(at('script'), 0o755);
    await files.writeText('script', 'echo');
    expect((await stat(at('script'))).mode & 0o777).toBe(0o755);
  });

  it('leaves no draft behind, whether it works or not', async () => {
    await files.writeText('one', '1');
    await mkdir(at('two'));
    await expect(files.writeText('two', '2')).rejects.toMatchObject(refusal('not_a_file'));
    await expect(files.upload(join(root, 'missing'), 'three')).rejects.toMatchObject(
      refusal('not_found'),
    );
    expect((await readdir(workspace)).toSorted()).toEqual(['one', 'two']);
  });

  it('refuses a name that is too long', async () => {
    await expect(files.writeText('x'.repeat(300), '')).rejects.toMatchObject(
      refusal('invalid_path'),
    );
  });
});

describe('list', () => {
  it('tells links and names with a line break as they are', async () => {
    await symlink('/etc', at('link'));
    await writeFile(at('two\nlines'), '');
    expect(await files.list('.')).toEqual([
      { name: 'link', kind: 'link', size: null },
      { name: 'two\nlines', kind: 'file', size: 0 },
    ]);
  });

  it('refuses a folder with too many entries', async () => {
    const small = new LocalFiles(guard, { readBytes: 5, transferBytes: 5, entries: 2 });
    await Promise.all(['a', 'b', 'c'].map((name) => writeFile(at(name), '')));
    await expect(small.list('.')).rejects.toMatchObject(refusal('too_large'));
  });
});

describe('remove', () => {
  it('removes a link and not what it leads to', async () => {
    await symlink('../secret', at('leak'));
    await files.remove('leak');
    expect(await readFile(join(root, 'secret'), 'utf8')).toBe('secret');
    expect(await readdir(workspace)).toEqual([]);
  });

  it('removes an empty folder only', async () => {
    await mkdir(at('full/empty'), { recursive: true });
    await expect(files.remove('full')).rejects.toMatchObject(refusal('failed'));
    await files.remove('full/empty');
    await files.remove('full');
    expect(await readdir(workspace)).toEqual([]);
  });
});

describe('search', () => {
  it('follows no link, skips binary files and fetched folders', async () => {
    await symlink('..', at('up'));
    await symlink('../secret', at('leak'));
    await writeFile(at('binary'), Buffer.from('\0secret'));
    await mkdir(at('node_modules'));
    await writeFile(at('node_modules/x'), 'secret');
    await writeFile(at('found'), 'a secret');
    const result = await files.search(searchFor('secret'));
    expect(result).toEqual({
      matches: [{ path: 'found', line: 1, text: 'a secret' }],
      incomplete: false,
    });
  });

  it('refuses a pattern that takes forever, and the server does not stand still', async () => {
    await writeFile(at('trap'), `${'a'.repeat(60)}!`);
    let ticks = 0;
    const timer = setInterval(() => (ticks += 1), 50);
    await expect(files.search(searchFor('^(a+)+$'))).rejects.toMatchObject(refusal('failed'));
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(10);
  });

  it('ends when it is cancelled', async () => {
    await writeFile(at('trap'), `${'a'.repeat(60)}!`);
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 300);
    await expect(
      files.search(searchFor('^(a+)+$', { signal: abort.signal })),
    ).rejects.toMatchObject({ ...refusal('failed'), message: 'The search was cancelled.' });
  });

  it('says that it is incomplete when it had to stop or leave out a large file', async () => {
    await writeFile(at('a'), 'x');
    await writeFile(at('b'), 'x');
    await writeFile(at('large'), 'x'.repeat(100));
    const limits = { files: 100, fileBytes: 50, depth: 5, totalMs: 10_000 };
    expect(await searchWorkspace(guard, searchFor('x'), limits)).toMatchObject({
      incomplete: true,
      matches: [{ path: 'a' }, { path: 'b' }],
    });
    expect(await searchWorkspace(guard, searchFor('x'), { ...limits, files: 1 })).toMatchObject({
      incomplete: true,
      matches: [{ path: 'a' }],
    });
  });

  it('cuts long lines', async () => {
    await writeFile(at('long'), 'x'.repeat(1_000_000));
    const { matches } = await files.search(searchFor('x'));
    expect(matches[0]?.text.length).toBeLessThanOrEqual(500);
  });
});
