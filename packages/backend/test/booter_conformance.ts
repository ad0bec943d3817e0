import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Booter, BootRequest } from '../src/modules/netaclaw/sandbox/booter.js';
import type {
  CommandRequest,
  CommandResult,
  Computer,
  ComputerErrorCode,
  SearchRequest,
  ShellComponent,
} from '../src/modules/netaclaw/sandbox/components.js';

/** How a suite gets a fresh, unbooted booter. */
export type MakeBooter = (sessionId: string) => Booter;

/** A fresh computer for a session. */
export const bootRequest = (sessionId: string): BootRequest => ({
  sessionId,
  profile: null,
  resume: null,
});

/** The shell of a computer that must have one. */
function shellOf(computer: Computer): ShellComponent {
  if (computer.shell === null) throw new Error('this computer has no shell');
  return computer.shell;
}

/** Runs a command with ample time. */
export const run = (
  computer: Computer,
  command: string,
  options: Partial<CommandRequest> = {},
): Promise<CommandResult> =>
  shellOf(computer).run({
    command,
    timeoutMs: 15_000,
    signal: new AbortController().signal,
    ...options,
  });

/** A search request with defaults. */
export const searchFor = (
  pattern: string,
  options: Partial<SearchRequest> = {},
): SearchRequest => ({
  pattern,
  literal: false,
  ignoreCase: false,
  path: '.',
  maxMatches: 100,
  signal: new AbortController().signal,
  ...options,
});

/** What a refusal looks like: a `ComputerError` with a code and a text. */
export const refusal = (code: ComputerErrorCode) => ({
  name: 'ComputerError',
  code,
  message: expect.stringMatching(/\S/),
});

/** What every booter must do, whatever drives it. */
export function describeBooter(name: string, makeBooter: MakeBooter): void {
  describe(`${name}`, () => {
    let booter: Booter;
    let computer: Computer;
    let server: string;

    beforeAll(async () => {
      server = await mkdtemp(join(tmpdir(), 'conformance-'));
      booter = makeBooter('conformance');
      expect(booter.tools()).toBeNull();
      expect(booter.promptParts()).toBeNull();
      computer = await booter.boot(new AbortController().signal);
    });

    afterAll(async () => {
      await booter.shutdown();
      await rm(server, { recursive: true, force: true });
    });

    it('says exactly which tools and prompts it has once it is booted', () => {
      expect(booter.tools()).toEqual(expect.arrayContaining(['bash', 'read_file']));
      expect(booter.promptParts()?.length).toBeGreaterThan(0);
    });

    it('is healthy after boot', async () => {
      expect(await booter.healthy()).toBe(true);
    });

    describeShell(() => computer);
    describeFiles(() => computer);

    it('brings files in and out byte for byte', async () => {
      const bytes = Buffer.from([0, 255, 10, 13, 200, 0]);
      await writeFile(join(server, 'in.bin'), bytes);
      await computer.files.upload(join(server, 'in.bin'), 'transfer/data.bin');
      await computer.files.download('transfer/data.bin', join(server, 'out.bin'));
      expect(await readFile(join(server, 'out.bin'))).toEqual(bytes);
      expect(await computer.files.readBytes('transfer/data.bin', 6)).toEqual(bytes);
      const tooMany = computer.files.readBytes('transfer/data.bin', 5);
      await expect(tooMany).rejects.toMatchObject(refusal('too_large'));
    });

    it('brings an empty file in and out', async () => {
      await writeFile(join(server, 'empty.in'), '');
      await computer.files.upload(join(server, 'empty.in'), 'transfer/empty');
      await computer.files.download('transfer/empty', join(server, 'empty.out'));
      expect(await readFile(join(server, 'empty.out'), 'utf8')).toBe('');
    });

    it('can be shut down twice', async () => {
      const other = makeBooter('conformance-shutdown');
      await other.boot(new AbortController().signal);
      await other.shutdown();
      await other.shutdown();
      expect(await other.healthy()).toBe(false);
    });
  });
}

function describeShell(computer: () => Computer): void {
  describe('shell', () => {
    it('answers with exit code, output and error output apart', async () => {
      const result = await run(computer(), 'echo out; echo err >&2; exit 3');
      expect(result).toEqual({ exitCode: 3, stdout: 'out\n', stderr: 'err\n', timedOut: false });
    });

    it('keeps files from command to command, and no variables', async () => {
      await run(computer(), 'KEPT=1; echo kept > kept.txt');
      const result = await run(computer(), 'cat kept.txt; echo "[$KEPT]"');
      expect(result.stdout).toBe('kept\n[]\n');
    });

    it('starts in the folder asked for', async () => {
      await run(computer(), 'mkdir -p deep/er');
      const result = await run(computer(), 'basename "$PWD"', { cwd: 'deep/er' });
      expect(result.stdout).toBe('er\n');
    });

    it('refuses a folder that does not exist', async () => {
      await expect(run(computer(), 'true', { cwd: 'nowhere' })).rejects.toMatchObject(
        refusal('not_found'),
      );
    });

    it('reads nothing from standard input', async () => {
      expect((await run(computer(), 'cat')).exitCode).toBe(0);
    });

    it('passes text of any language', async () => {
      expect((await run(computer(), "printf '%s' '你好 «ß»'")).stdout).toBe('你好 «ß»');
    });

    it('ends a command at its time limit and keeps what it wrote', async () => {
      const result = await run(computer(), 'echo begun; sleep 60; echo done', { timeoutMs: 700 });
      expect(result).toMatchObject({ exitCode: null, stdout: 'begun\n', timedOut: true });
    });

    it('ends a command when its signal is aborted', async () => {
      const abort = new AbortController();
      const started = performance.now();
      const running = run(computer(), 'sleep 60', { signal: abort.signal });
      setTimeout(() => abort.abort(), 300);
      expect((await running).exitCode).toBeNull();
      expect(performance.now() - started).toBeLessThan(5000);
    });
  });
}

function describeFiles(computer: () => Computer): void {
  const files = () => computer().files;

  describe('files', () => {
    it('reads what was written, making folders on the way', async () => {
      await files().writeText('new/folder/note.txt', 'één\r\n二\n');
      expect(await files().readText('new/folder/note.txt')).toBe('één\r\n二\n');
    });

    it('replaces the whole of a file', async () => {
      await files().writeText('whole.txt', 'a long first text');
      await files().writeText('whole.txt', 'short');
      expect(await files().readText('whole.txt')).toBe('short');
    });

    it('says of a missing file that it is not found', async () => {
      await expect(files().readText('missing.txt')).rejects.toMatchObject(refusal('not_found'));
      await expect(files().remove('missing.txt')).rejects.toMatchObject(refusal('not_found'));
      await expect(files().list('missing')).rejects.toMatchObject(refusal('not_found'));
    });

    it('lists entries with kind and size', async () => {
      await files().writeText('listed/b.txt', '12345');
      await files().writeText('listed/a/c.txt', '');
      expect(await files().list('listed')).toEqual([
        { name: 'a', kind: 'directory', size: null },
        { name: 'b.txt', kind: 'file', size: 5 },
      ]);
    });

    it('removes a file', async () => {
      await files().writeText('gone.txt', '');
      await files().remove('gone.txt');
      await expect(files().readText('gone.txt')).rejects.toMatchObject(refusal('not_found'));
    });

    it('finds lines by pattern, by plain text, by glob', async () => {
      await files().writeText('search/one.ts', 'first\nvalue(1)\n');
      await files().writeText('search/sub/two.md', 'Value(2)\n');
      const find = async (pattern: string, options: Partial<SearchRequest>) =>
        (await files().search(searchFor(pattern, { path: 'search', ...options }))).matches;
      expect(await find('value\\(\\d', {})).toEqual([
        { path: 'search/one.ts', line: 2, text: 'value(1)' },
      ]);
      expect(await find('value(', { literal: true, ignoreCase: true })).toHaveLength(2);
      expect(await find('.', { glob: '*.md' })).toEqual([
        { path: 'search/sub/two.md', line: 1, text: 'Value(2)' },
      ]);
    });

    it('says when there were more matches than asked for', async () => {
      await files().writeText('many.txt', 'x\n'.repeat(10));
      const some = await files().search(searchFor('x', { path: 'many.txt', maxMatches: 4 }));
      expect(some).toMatchObject({ incomplete: true, matches: { length: 4 } });
      const all = await files().search(searchFor('x', { path: 'many.txt', maxMatches: 10 }));
      expect(all).toMatchObject({ incomplete: false, matches: { length: 10 } });
    });

    it('refuses a pattern that is none', async () => {
      await expect(files().search(searchFor('('))).rejects.toMatchObject(refusal('failed'));
    });
  });
}
