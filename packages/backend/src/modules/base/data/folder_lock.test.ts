import { fork } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { FolderLock } from './folder_lock.js';

const root = mkdtempSync(join(tmpdir(), 'netaclaw-lock-'));
afterAll(() => rmSync(root, { recursive: true }));

it('one at a time, by whatever name; free again once it is let go', async () => {
  symlinkSync(root, `${root}-alias`);
  const first = await FolderLock.take(root);
  await expect(FolderLock.take(root)).rejects.toThrow(/Another server is at work on .*DATA_DIR/);
  await expect(FolderLock.take(`${root}-alias`)).rejects.toThrow(/Another server/);
  await first.release();
  const second = await FolderLock.take(`${root}-alias`);
  await second.release();
  rmSync(`${root}-alias`);
});

it('what a killed process leaves behind is no lock', async () => {
  const code = `
    const { createHash } = require('node:crypto');
    const hash = createHash('sha256').update(${JSON.stringify(root)}).digest('hex').slice(0, 24);
    require('node:net').createServer().listen(require('node:path').join(require('node:os').tmpdir(),
      'netaclaw-' + hash + '.sock'), () => process.send('holds'));`;
  const script = join(root, 'holder.cjs');
  const { writeFileSync } = await import('node:fs');
  writeFileSync(script, code);
  const holder = fork(script);
  await new Promise((resolve) => holder.once('message', resolve));
  await expect(FolderLock.take(root)).rejects.toThrow(/Another server/);
  const gone = new Promise((resolve) => holder.once('exit', resolve));
  holder.kill('SIGKILL');
  await gone;
  const lock = await FolderLock.take(root);
  await lock.release();
});
