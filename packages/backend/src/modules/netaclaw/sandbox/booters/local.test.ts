import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  bootRequest,
  describeBooter,
  refusal,
  run,
} from '../../../../../test/booter_conformance.js';
import { ComputerError, type Computer } from '../components.js';
import { workspaceFolderName } from '../workspace_path.js';
import localDriver from './local_driver.js';
import { bubblewrapSetup, type LocalIsolation } from './isolation.js';
import { LocalBooterHost, type LocalBooterOptions } from './local.js';

const required = Boolean(process.env.CI ?? process.env.REQUIRE_ALL);
const works = await bubblewrapSetup().then(
  () => true,
  () => false,
);
const ifItWorks = { skip: !works && !required };
const reason = works ? '' : ' (bubblewrap does not work on this machine)';

const root = await mkdtemp(join(tmpdir(), 'local-booter-'));
afterAll(() => rm(root, { recursive: true, force: true }));

const kindOf = (isolation: LocalIsolation, options: Partial<LocalBooterOptions> = {}) =>
  new LocalBooterHost({
    workspacesFolder: join(root, isolation),
    isolation,
    prompts: ['A workspace of your own.'],
    ...options,
  });

const boot = (
  session: string,
  isolation: LocalIsolation,
  options: Partial<LocalBooterOptions> = {},
): Promise<Computer> =>
  kindOf(isolation, options).create(bootRequest(session)).boot(new AbortController().signal);

const workspaceOf = (session: string, isolation: LocalIsolation): string =>
  join(root, isolation, workspaceFolderName(session));

/** Processes of this machine that have a word in their command line. */
async function processesWith(word: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  );
  return lines.filter((line) => line.includes(word));
}

describe(`with bubblewrap${reason}`, ifItWorks, () => {
  describeBooter('local booter, isolated', (session) =>
    kindOf('bubblewrap').create(bootRequest(session)),
  );
});

describeBooter('local booter, not isolated', (session) =>
  kindOf('none').create(bootRequest(session)),
);

describe('local booter', () => {
  it('gives a session with any name a plain folder of its own', async () => {
    for (const session of ['会话/一', '../..', 'a\nb', '']) {
      const computer = await boot(session, 'none');
      await computer.files.writeText('mine.txt', session);
      expect(await readdir(workspaceOf(session, 'none'))).toEqual(['mine.txt']);
      expect(workspaceFolderName(session)).toMatch(/^[0-9a-f]{40}$/);
    }
  });

  it('reads from a listed read root and never writes to it', async () => {
    const library = join(root, 'library');
    await mkdir(library, { recursive: true });
    await writeFile(join(library, 'book.txt'), 'words');
    const { files } = await boot('reader', 'none', { readRoots: [library] });
    expect(await files.readText(join(library, 'book.txt'))).toBe('words');
    await expect(files.writeText(join(library, 'book.txt'), '')).rejects.toMatchObject(
      refusal('outside_workspace'),
    );
    await expect(files.remove(join(library, 'book.txt'))).rejects.toMatchObject(
      refusal('outside_workspace'),
    );
  });

  it('says nothing is unavailable without isolation', async () => {
    expect(await kindOf('none').unavailableTools()).toEqual([]);
  });

  it('keeps its file tools, and says why commands are out, where they cannot be isolated', async () => {
    const kind = new LocalBooterHost(
      { workspacesFolder: join(root, 'without'), isolation: 'bubblewrap' },
      {
        findSetup: () => Promise.reject(new ComputerError('unavailable', 'Install bubblewrap.')),
      },
    );
    expect(await kind.unavailableTools()).toEqual([
      { name: 'bash', detail: 'Install bubblewrap.' },
      { name: 'python', detail: 'Install bubblewrap.' },
    ]);
    const booter = kind.create(bootRequest('session'));
    const computer = await booter.boot(new AbortController().signal);
    expect(computer).toMatchObject({ shell: null, python: null, capabilities: ['filesystem'] });
    await computer.files.writeText('works', 'yes');
    expect(await computer.files.readText('works')).toBe('yes');
  });

  it('declares its tools before anything is booted', () => {
    const settings = { service: null, dataDir: '/data' };
    expect(localDriver.defaultTools(null)).toEqual([
      'bash',
      'python',
      'read_file',
      'write_file',
      'list_dir',
      'patch',
      'search_files',
    ]);
    const isolated = localDriver.defaultPrompts({ ...settings, localIsolation: 'bubblewrap' });
    const open = localDriver.defaultPrompts({ ...settings, localIsolation: 'none' });
    expect(isolated.join('')).toContain('no network');
    expect(open.join('')).not.toContain('no network');
  });

  it('is gone when its folder is gone', async () => {
    const booter = kindOf('none').create(bootRequest('vanishing'));
    await booter.boot(new AbortController().signal);
    await rm(workspaceOf('vanishing', 'none'), { recursive: true });
    expect(await booter.healthy()).toBe(false);
  });

  it('ends running commands when it is shut down', async () => {
    const booter = kindOf('none').create(bootRequest('closing'));
    const running = run(await booter.boot(new AbortController().signal), 'sleep 60');
    setTimeout(() => void booter.shutdown(), 200);
    expect(await running).toMatchObject({ exitCode: null, endedBecause: 'it was cancelled' });
  });

  it('explains a workspaces folder that cannot be made', async () => {
    await writeFile(join(root, 'occupied'), '');
    const kind = new LocalBooterHost({
      workspacesFolder: join(root, 'occupied'),
      isolation: 'none',
    });
    await expect(
      kind.create(bootRequest('x')).boot(new AbortController().signal),
    ).rejects.toMatchObject(refusal('unavailable'));
  });
});

for (const isolation of ['bubblewrap', 'none'] as const) {
  const [options, note] = isolation === 'bubblewrap' ? [ifItWorks, reason] : [{}, ''];
  describe(`commands with isolation ${isolation}${note}`, options, () => {
    let computer: Computer;
    beforeAll(async () => {
      computer = await boot('commands', isolation);
    });

    it('keeps little of 1 GB of output, the beginning and the end', async () => {
      const before = process.memoryUsage().rss;
      const result = await run(
        computer,
        'echo first; head -c 1000000000 /dev/zero | tr "\\0" x; echo last',
        { timeoutMs: 60_000 },
      );
      expect(result.exitCode).toBe(0);
      expect(result.stdout.length).toBeLessThan(4 * 1024 * 1024 + 100);
      expect(result.stdout).toMatch(/^first\n/);
      expect(result.stdout).toMatch(/xlast\n$/);
      expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
    }, 70_000);

    it('does not wait for a background process and leaves none behind', async () => {
      const started = performance.now();
      const result = await run(computer, 'sleep 4711.25 & echo started');
      expect(result).toMatchObject({ exitCode: 0, stdout: 'started\n' });
      expect(performance.now() - started).toBeLessThan(4000);
      await expect.poll(() => processesWith('4711.25')).toEqual([]);
    });

    it('ends the whole tree at the time limit', async () => {
      await run(computer, '(sleep 4712.25 & sleep 4712.25) | sleep 4712.25', { timeoutMs: 500 });
      await expect.poll(() => processesWith('4712.25')).toEqual([]);
    });

    it('shows a command nothing of the server environment', async () => {
      process.env.NETACLAW_TEST_SECRET = 'hunter2secret';
      const result = await run(
        computer,
        'env; set; cat /proc/1/environ /proc/$PPID/environ /proc/self/environ | tr "\\0" "\\n"',
      );
      delete process.env.NETACLAW_TEST_SECRET;
      expect(result.stdout).toContain('PATH=');
      expect(result.stdout).not.toContain('hunter2secret');
    });

    it('refuses a command that is too long or has a NUL', async () => {
      await expect(run(computer, `true ${'x'.repeat(130_000)}`)).rejects.toMatchObject(
        refusal('too_large'),
      );
      await expect(run(computer, 'echo a\0b')).rejects.toMatchObject(refusal('failed'));
    });

    it('refuses to start outside the workspace', async () => {
      await expect(run(computer, 'true', { cwd: '..' })).rejects.toMatchObject(
        refusal('outside_workspace'),
      );
      await expect(run(computer, 'true', { cwd: '/etc' })).rejects.toMatchObject(
        refusal('outside_workspace'),
      );
      await run(computer, 'ln -s / out');
      await expect(run(computer, 'true', { cwd: 'out' })).rejects.toMatchObject(
        refusal('outside_workspace'),
      );
    });

    it('stops a file that grows without end', async () => {
      const small = await boot('commands', isolation, { limits: { fileBytes: 1024 * 1024 } });
      const result = await run(small, 'head -c 50000000 /dev/zero > big; stat -c %s big; rm big');
      expect(Number(result.stdout)).toBeLessThanOrEqual(1024 * 1024);
    });

    it('ends a fork bomb, and the server goes on', async () => {
      const started = performance.now();
      const result = await run(computer, 'bomb() { bomb | bomb & }; bomb; sleep 4713.25', {
        timeoutMs: 15_000,
      });
      expect(performance.now() - started).toBeLessThan(14_000);
      expect(result.exitCode).toBeNull();
      expect(result.endedBecause).toContain('processes');
      await expect.poll(() => processesWith('4713.25')).toEqual([]);
      expect((await run(computer, 'echo alive')).stdout).toBe('alive\n');
    }, 30_000);

    it('ends processes that together use too much memory', async () => {
      const mib = 1024 * 1024;
      const small = await boot('commands', isolation, { limits: { memoryBytes: 200 * mib } });
      const hold = `node -e "const b = []; for (let i = 0; i < 12; i++) b.push(Buffer.alloc(${10 * mib}, 1)); setTimeout(() => {}, 10000)"`;
      const result = await run(small, `${hold} & ${hold} & ${hold} & wait`);
      expect(result.endedBecause).toContain('memory');
    });

    it('runs node under the ordinary limits', async () => {
      const result = await run(computer, 'node -e "console.log(new Array(1e6).fill(7).length)"');
      expect(result).toMatchObject({ exitCode: 0, stdout: '1000000\n' });
    });

    it('finishes many commands that are started at once', async () => {
      const queued = await boot('commands', isolation, { mostCommands: 2 });
      const results = await Promise.all(
        Array.from({ length: 8 }, (_, index) => run(queued, `echo ${index}`)),
      );
      expect(results.map((result) => result.stdout)).toEqual(
        Array.from({ length: 8 }, (_, index) => `${index}\n`),
      );
    });
  });
}

describe(`isolated commands${reason}`, ifItWorks, () => {
  let computer: Computer;
  let server: Server;
  beforeAll(async () => {
    computer = await boot('isolated', 'bubblewrap');
    server = createServer((socket) => socket.end('reached'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    server.close();
  });

  it('have no network, not even to this machine', async () => {
    const address = server.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    const local = await run(computer, `exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3`);
    expect(local).toMatchObject({ stdout: '' });
    expect(local.exitCode).not.toBe(0);
    expect((await run(computer, 'exec 3<>/dev/tcp/1.1.1.1/53')).exitCode).not.toBe(0);
    expect((await run(computer, 'tail -n +3 /proc/net/dev | grep -vc lo:')).stdout).toBe('0\n');
  });

  it.each([
    ['the project folder', process.cwd()],
    ['home', '/root'],
    ['other homes', '/home'],
    ['password hashes', '/etc/shadow'],
    ['other sessions', root],
    ['temporary files of the server', join(root, 'bubblewrap')],
    ['logs and databases', '/var'],
    ['sockets of services', '/run'],
    ['devices', '/sys'],
    ['disks', '/dev/vda'],
    ['memory', '/dev/mem'],
  ])('do not see %s', async (_, path) => {
    expect((await run(computer, `test -e '${path}'`)).exitCode).toBe(1);
  });

  it('do not see a folder of the server that lies in a system folder', async () => {
    const hiding = await boot('isolated', 'bubblewrap', { hiddenFolders: ['/usr/share'] });
    expect((await run(hiding, 'ls -A /usr/share; touch /usr/share/x')).stdout).toBe('');
  });

  it('change nothing outside the workspace', async () => {
    for (const path of ['/', '/usr', '/usr/bin', '/etc', '/dev', '/proc/sys/kernel']) {
      const result = await run(computer, `echo x > ${path}/netaclaw-test`);
      expect(result.exitCode).not.toBe(0);
    }
    const settings = await run(computer, 'echo x > /proc/sys/kernel/hostname');
    expect(settings.stderr).toContain('Read-only');
    const writable = await run(
      computer,
      'find / -xdev -writable -not -type l -not -path /tmp -not -path /workspace; find /proc -maxdepth 5 -writable -not -type l 2>/dev/null',
    );
    expect(writable.stdout).toBe('');
  });

  it('have temporary space that is private and limited', async () => {
    await run(computer, 'echo x > /tmp/mark');
    expect((await run(computer, 'ls -A /tmp')).stdout).toBe('');
    const small = await boot('isolated', 'bubblewrap', { limits: { scratchBytes: 1_000_000 } });
    const fill = 'head -c 5000000 /dev/zero >';
    expect((await run(small, `${fill} /tmp/a`)).exitCode).not.toBe(0);
    expect((await run(small, `${fill} /dev/shm/a`)).exitCode).not.toBe(0);
  });

  it('see only their own processes', async () => {
    const result = await run(computer, 'ls -d /proc/[0-9]* | wc -l');
    expect(Number(result.stdout)).toBeLessThan(10);
    expect((await run(computer, `kill -0 ${process.pid}`)).exitCode).not.toBe(0);
  });

  it('have no privileges and cannot get any', async () => {
    const status = await run(computer, 'cat /proc/self/status');
    expect(status.stdout).toMatch(/CapEff:\s+0+\n/);
    expect(status.stdout).toMatch(/NoNewPrivs:\s+1\n/);
    expect((await run(computer, 'mount -t tmpfs none /tmp')).exitCode).not.toBe(0);
    expect((await run(computer, 'mknod disk b 254 0')).exitCode).not.toBe(0);
  });

  it('inherit no open file of the server', async () => {
    const result = await run(
      computer,
      'for file in /proc/1/fd/* /proc/self/fd/*; do echo ${file##*/}; done',
    );
    const numbers = result.stdout.trim().split('\n').map(Number);
    expect(Math.max(...numbers)).toBeLessThan(10);
  });

  it('run as a user with a name', async () => {
    expect((await run(computer, 'whoami; id -gn')).stdout).toBe('agent\nagent\n');
  });

  it('cannot leave a process behind by starting a session of its own', async () => {
    await run(computer, 'setsid --fork sleep 4714.25; nohup setsid sleep 4714.25 & disown');
    await expect.poll(() => processesWith('4714.25')).toEqual([]);
  });

  it('end when the server is killed', async () => {
    const program = `
      const { spawn } = require('node:child_process');
      spawn('bwrap', ${JSON.stringify(['--unshare-pid', '--die-with-parent', '--ro-bind', '/', '/', '--', 'sleep', '4715.25'])});
      setTimeout(() => process.kill(process.pid, 'SIGKILL'), 300);`;
    const server = spawn(process.execPath, ['-e', program], { stdio: 'ignore' });
    await new Promise((resolve) => server.once('exit', resolve));
    await expect.poll(() => processesWith('4715.25')).toEqual([]);
  });

  it('cannot make a hard link to a file outside', async () => {
    expect((await run(computer, 'ln /usr/bin/env stolen')).exitCode).not.toBe(0);
  });

  it('plant links that file tools then refuse to follow out', async () => {
    await run(computer, 'ln -s /etc/hostname leak; ln -s /etc folder; mkfifo pipe');
    await expect(computer.files.readText('leak')).rejects.toMatchObject(
      refusal('outside_workspace'),
    );
    await expect(computer.files.readText('folder/hostname')).rejects.toMatchObject(
      refusal('outside_workspace'),
    );
    await expect(computer.files.writeText('folder/new', '')).rejects.toMatchObject(
      refusal('outside_workspace'),
    );
    await expect(computer.files.readText('pipe')).rejects.toMatchObject(refusal('not_a_file'));
  });
});
