import { execFileSync, spawn } from 'node:child_process';
import { link, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { refusal } from '../../../../test/booter_conformance.js';
import { WorkspaceGuard } from './workspace_guard.js';

let root: string;
let workspace: string;
let guard: WorkspaceGuard;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'guard-')));
  workspace = join(root, 'workspace');
  await mkdir(join(workspace, 'folder'), { recursive: true });
  await mkdir(join(root, 'outside'));
  await writeFile(join(root, 'outside/secret'), 'secret');
  await writeFile(join(workspace, 'folder/file'), 'mine');
  guard = new WorkspaceGuard({ workspace, readRoots: [] });
});

afterEach(() => rm(root, { recursive: true, force: true }));

const read = (path: string): Promise<string> => guard.inFile(path, (file) => file.readFile('utf8'));
const parentOf = (path: string, makeFolders: boolean): Promise<string> =>
  guard.inParent(path, { makeFolders }, async (folder, name) => join(folder.path, name));

describe('reading', () => {
  it('follows a link that stays in the workspace', async () => {
    await symlink('folder', join(workspace, 'way'));
    await symlink(join(workspace, 'folder/file'), join(workspace, 'direct'));
    expect(await read('way/file')).toBe('mine');
    expect(await read('direct')).toBe('mine');
  });

  it('refuses a link that leads out', async () => {
    await symlink('../outside/secret', join(workspace, 'leak'));
    await expect(read('leak')).rejects.toMatchObject(refusal('outside_workspace'));
  });

  it('refuses a folder on the way that is a link out', async () => {
    await symlink('../outside', join(workspace, 'way'));
    await expect(read('way/secret')).rejects.toMatchObject(refusal('outside_workspace'));
  });

  it('says the same of what is there and what is not, behind a link out', async () => {
    await symlink('../outside', join(workspace, 'out'));
    for (const path of ['out/secret', 'out/nothing', 'out/deep/nothing']) {
      await expect(guard.inFile(path, async () => null)).rejects.toMatchObject(
        refusal('outside_workspace'),
      );
    }
    await expect(guard.inFile('folder/nothing', async () => null)).rejects.toMatchObject(
      refusal('not_found'),
    );
  });

  it('refuses a circle of links', async () => {
    await symlink('circle', join(workspace, 'circle'));
    await expect(read('circle')).rejects.toMatchObject(refusal('denied'));
  });

  it('refuses a hard link', async () => {
    await link(join(root, 'outside/secret'), join(workspace, 'twin'));
    await expect(read('twin')).rejects.toMatchObject(refusal('denied'));
  });

  it('refuses a pipe without waiting for it', async () => {
    execFileSync('bash', ['-c', 'mkfifo "$0"', join(workspace, 'pipe')]);
    await expect(read('pipe')).rejects.toMatchObject(refusal('not_a_file'));
  });

  it('refuses a socket', async () => {
    const server = createServer().listen(join(workspace, 'socket'));
    await expect(read('socket')).rejects.toMatchObject(refusal('not_a_file'));
    server.close();
  });

  it('refuses a device, reached by a read root', async () => {
    const withDevices = new WorkspaceGuard({ workspace, readRoots: ['/dev'] });
    await expect(withDevices.inFile('/dev/zero', (file) => file.readFile())).rejects.toMatchObject(
      refusal('not_a_file'),
    );
  });

  it('refuses folders and what is missing', async () => {
    await expect(read('folder')).rejects.toMatchObject(refusal('not_a_file'));
    await expect(read('.')).rejects.toMatchObject(refusal('not_a_file'));
    await expect(read('missing')).rejects.toMatchObject(refusal('not_found'));
    await expect(read('folder/file/deeper')).rejects.toMatchObject(refusal('not_a_directory'));
  });
});

describe('writing', () => {
  it('makes missing folders inside the workspace', async () => {
    expect(await parentOf('one/two/three', true)).toBe(join(workspace, 'one/two/three'));
    await expect(parentOf('four/five', false)).rejects.toMatchObject(refusal('not_found'));
  });

  it('makes no folder behind a link that leads out', async () => {
    await symlink('../outside', join(workspace, 'way'));
    await expect(parentOf('way/new/file', true)).rejects.toMatchObject(
      refusal('outside_workspace'),
    );
    await expect(readFile(join(root, 'outside/new'))).rejects.toThrow('ENOENT');
  });

  it('makes no folder behind a link that leads nowhere', async () => {
    await symlink('../outside/later', join(workspace, 'way'));
    await expect(parentOf('way/file', true)).rejects.toMatchObject(refusal('outside_workspace'));
    await expect(readFile(join(root, 'outside/later'))).rejects.toThrow('ENOENT');
  });

  it('refuses the workspace root itself', async () => {
    await expect(parentOf('/workspace', true)).rejects.toMatchObject(refusal('not_a_file'));
  });
});

it('holds on to an opened folder while its path is made to lead elsewhere', async () => {
  const text = await guard.inFolder('folder', async (folder) => {
    await rm(join(workspace, 'folder'), { recursive: true });
    await symlink('../outside', join(workspace, 'folder'));
    return folder.look('secret');
  });
  expect(text).toBeNull();
});

it('never reads outside while a folder is swapped for a link again and again', async () => {
  await writeFile(join(workspace, 'folder/secret'), 'mine');
  const swap = `
    const { renameSync, rmSync, symlinkSync } = require('node:fs');
    for (const end = Date.now() + 1500; Date.now() < end; ) {
      renameSync('folder', 'kept');
      symlinkSync('../outside', 'folder');
      rmSync('folder');
      renameSync('kept', 'folder');
    }`;
  const swapper = spawn(process.execPath, ['-e', swap], { cwd: workspace, stdio: 'inherit' });
  const seen = new Set<string>();
  while (swapper.exitCode === null) {
    seen.add(await read('folder/secret').catch(() => 'refused'));
  }
  expect(seen).toEqual(new Set(['mine', 'refused']));
}, 30_000);

it('gives commands a real folder of the workspace to start in', async () => {
  await symlink('../outside', join(workspace, 'way'));
  expect(await guard.workingFolder('folder')).toBe(join(workspace, 'folder'));
  await expect(guard.workingFolder('way')).rejects.toMatchObject(refusal('outside_workspace'));
  await expect(guard.workingFolder('folder/file')).rejects.toMatchObject(
    refusal('not_a_directory'),
  );
});
