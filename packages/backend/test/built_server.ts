import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as wait } from 'node:timers/promises';
import { freshDatabase } from './app.js';

const packages = fileURLToPath(new URL('../..', import.meta.url));
/** The folder of the backend's package. */
export const backendFolder = join(packages, 'backend');

/** What stays when a server ends: its folder and its database. */
export interface Installation {
  dataDir: string;
  settings: Record<string, string>;
  remove(): Promise<void>;
}

/** A server in a process of its own, as `npm start` runs it. */
export interface BuiltServer {
  url: string;
  process: ChildProcess;
  /** What it has printed so far. */
  output(): string;
  /** Milliseconds from the start of the process until it said that it was ready. */
  readyAfterMs: number;
  /** Sends a signal and resolves to the exit code once it has ended. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** A fresh folder and, where the tests run on MySQL, a fresh database. */
export async function makeInstallation(
  settings: Record<string, string> = {},
): Promise<Installation> {
  const dataDir = mkdtempSync(join(tmpdir(), 'netaclaw-built-'));
  const database = await freshDatabase(process.env.TEST_DATABASE_SERVER);
  return {
    dataDir,
    settings: {
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: dataDir,
      EGRESS_ALLOW: '127.0.0.1',
      ...database.settings,
      ...settings,
    },
    async remove() {
      await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Compiles the packages when their compiled form is missing or older than their source. */
export function ensureBuilt(): void {
  for (const name of ['contracts', 'backend']) {
    const folder = join(packages, name);
    if (newestIn(join(folder, 'src')) > newestIn(join(folder, 'dist'))) {
      execFileSync('npx', ['tsc', '-p', 'tsconfig.build.json'], { cwd: folder, stdio: 'inherit' });
    }
  }
}

/** Starts a server and waits until it is ready. Rejects with its output when it ends before. */
export async function startBuilt(
  { settings }: Pick<Installation, 'settings'>,
  folder = join(backendFolder, 'dist'),
): Promise<BuiltServer> {
  const startedAt = performance.now();
  const { process: child, output, ended } = launch(settings, folder);
  for (;;) {
    const [, url] = /NetaClaw listening on (\S+)/.exec(output()) ?? [];
    if (url !== undefined) {
      const readyAfterMs = Math.round(performance.now() - startedAt);
      const end = (signal: NodeJS.Signals) => (child.kill(signal), ended);
      return { url, process: child, output, readyAfterMs, end };
    }
    if (child.exitCode !== null) throw new Error(`the server ended: ${output()}`);
    if (performance.now() - startedAt > 30_000) {
      child.kill('SIGKILL');
      throw new Error(`the server was not ready in time: ${output()}`);
    }
    await wait(10);
  }
}

/** Starts a server that is expected to give up; resolves to its exit code and what it printed. */
export async function runBuilt(
  settings: Record<string, string>,
): Promise<{ code: number | null; output: string }> {
  const { output, ended } = launch(settings, join(backendFolder, 'dist'));
  const code = await ended;
  return { code, output: output() };
}

function launch(settings: Record<string, string>, folder: string) {
  let printed = '';
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [join(folder, 'main.js')], {
    cwd: backendFolder,
    env: { PATH, HOME, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (piece: Buffer) => (printed += piece.toString()));
  }
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { process: child, output: () => printed, ended };
}

/** When the newest file of a folder was written; 0 when there is no such folder. */
function newestIn(folder: string): number {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder, { withFileTypes: true }).reduce((newest, entry) => {
    const path = join(folder, entry.name);
    if (entry.name.endsWith('.test.ts')) return newest;
    return Math.max(newest, entry.isDirectory() ? newestIn(path) : statSync(path).mtimeMs);
  }, 0);
}
