import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
  timedOut: boolean;
}

/** A real folder in which a stand-in really runs what it is told. */
export class StandInWorkspace {
  private constructor(readonly folder: string) {}

  static async make(): Promise<StandInWorkspace> {
    return new StandInWorkspace(await mkdtemp(join(tmpdir(), 'stand-in-')));
  }

  remove = (): Promise<void> => rm(this.folder, { recursive: true, force: true });
  shell = (command: string, seconds: number): Promise<Ran> =>
    this.run('bash', ['-c', command], seconds);
  python = (code: string, seconds: number): Promise<Ran> =>
    this.run('python3', ['-c', code], seconds);
  read = (path: string): Promise<Buffer> => readFile(join(this.folder, path));
  delete = (path: string): Promise<void> => rm(join(this.folder, path));

  async write(path: string, content: string | Buffer): Promise<void> {
    const full = join(this.folder, path);
    await mkdir(dirname(full), { recursive: true });
    await writeFile(full, content);
  }

  async list(path: string) {
    const full = join(this.folder, path);
    const names = await readdir(full);
    return Promise.all(
      names.map(async (name) => {
        const stats = await stat(join(full, name));
        return { name, path: join(path, name), isFile: stats.isFile(), size: stats.size };
      }),
    );
  }

  private run(file: string, args: string[], seconds: number): Promise<Ran> {
    const child = spawn(file, args, {
      cwd: this.folder,
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let [stdout, stderr] = ['', ''];
    child.stdin.end();
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    return new Promise((resolve) => {
      // Like a real service, it does not wait for what outlives the end.
      const timer = setTimeout(() => {
        if (child.pid) process.kill(-child.pid, 'SIGKILL');
        resolve({ code: null, stdout, stderr, timedOut: true });
      }, seconds * 1000);
      child.on('close', (code) => {
        clearTimeout(timer);
        resolve({ code, stdout, stderr, timedOut: false });
      });
    });
  }
}
