import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { makeFolder } from './make_folder.js';

const root = mkdtempSync(join(tmpdir(), 'netaclaw-folder-'));
afterAll(() => rmSync(root, { recursive: true }));

it('makes what is missing, for its owner alone, and leaves what is there', () => {
  const path = join(root, 'a/b/c');
  makeFolder(path);
  makeFolder(path);
  expect(statSync(path).mode & 0o777).toBe(0o700);
});

it('gives up where no folder can be made', () => {
  expect(() => makeFolder('/proc/netaclaw/data')).toThrow(/ENOENT|EACCES|EROFS/);
});
