import { execFile } from 'node:child_process';
import { lstatSync, readlinkSync } from 'node:fs';
import { promisify } from 'node:util';
import { isInside, WORKSPACE_ALIAS } from '../workspace_path.js';
import { canWatchProcesses } from './process_watch.js';

/** What a command sees of this machine's system folders. */
type SystemFolder = { path: string; linkTo: string | null };

/** Everything that decides what a command sees and may do. Paths are real ones. */
export interface BubblewrapView {
  workspace: string;
  readRoots: readonly string[];
  /** Folders of the server that must not be seen even when they lie in a system folder. */
  hiddenFolders: readonly string[];
  scratchBytes: number;
}

/** How bubblewrap works on this machine. */
export interface BubblewrapSetup {
  systemFolders: readonly SystemFolder[];
  /** Whether it can forbid further user namespaces. */
  disablesNamespaces: boolean;
}

const SYSTEM_FOLDERS = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];

/** Files of `/etc` that programs need to start; none holds a secret or a name of this machine. */
const SYSTEM_FILES = [
  '/etc/alternatives',
  '/etc/ld.so.cache',
  '/etc/ld.so.conf',
  '/etc/ld.so.conf.d',
  '/etc/localtime',
  '/etc/mime.types',
  '/etc/nsswitch.conf',
  '/etc/ssl/certs',
];

/** The environment of a command: nothing of the server's. */
export const commandEnvironment = (home: string): Record<string, string> => ({
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: home,
  LANG: 'C.UTF-8',
  TERM: 'dumb',
});

/**
 * Runs on the way in: first to go when memory runs out (inside, `/proc` is read-only), no open file of the
 * server's parents comes along, and the sandbox's only user and group get a name.
 */
const ENTRANCE = [
  'echo 1000 2>/dev/null >/proc/self/oom_score_adj',
  'for file in /proc/self/fd/*; do',
  '  fd=${file##*/}',
  '  [ "$fd" -gt 2 ] && eval "exec $fd>&-"',
  'done',
  "exec 3<<<'agent:x:1000:1000::/workspace:/bin/bash' 4<<<'agent:x:1000:'",
  'exec bwrap --ro-bind-data 3 /etc/passwd --ro-bind-data 4 /etc/group "$@"',
].join('\n');

/** The whole command line that runs a program under bubblewrap. */
export const bubblewrapCommand = (
  options: readonly string[],
  program: readonly string[],
): string[] => ['bash', '-c', ENTRANCE, 'bash', ...options, '--', ...program];

/** The options of `bwrap`, without the command. */
export function bubblewrapOptions(view: BubblewrapView, setup: BubblewrapSetup): string[] {
  const scratch = ['--size', String(view.scratchBytes), '--perms', '1777', '--tmpfs'];
  return [
    namespaceOptions(setup),
    setup.systemFolders.flatMap(showSystemFolder),
    SYSTEM_FILES.flatMap((path) => ['--ro-bind-try', path, path]),
    view.hiddenFolders.filter(isShownWithSystem).flatMap(hideFolder),
    // Read-only: to a server that runs as root, the kernel's own settings would be writable.
    ['--proc', '/proc', '--remount-ro', '/proc', '--dev', '/dev'],
    [...scratch, '/dev/shm', '--remount-ro', '/dev', ...scratch, '/tmp'],
    view.readRoots.flatMap((path) => ['--ro-bind', path, path]),
    ['--bind', view.workspace, WORKSPACE_ALIAS, '--remount-ro', '/'],
  ].flat();
}

/** Says once whether bubblewrap really works here: the setup, or a sentence that tells why not. */
export async function probeBubblewrap(): Promise<{ setup: BubblewrapSetup } | { problem: string }> {
  if (!canWatchProcesses()) {
    return { problem: 'this system does not list child processes under /proc' };
  }
  const systemFolders = SYSTEM_FOLDERS.flatMap(readSystemFolder);
  const strict = { systemFolders, disablesNamespaces: true };
  if ((await tryBubblewrap(strict)) === null) return { setup: strict };
  // Not every version and not every container allows that one.
  const plain = { systemFolders, disablesNamespaces: false };
  const problem = await tryBubblewrap(plain);
  return problem === null ? { setup: plain } : { problem };
}

async function tryBubblewrap(setup: BubblewrapSetup): Promise<string | null> {
  const view = { workspace: '/usr', readRoots: [], hiddenFolders: [], scratchBytes: 4096 };
  const options = bubblewrapOptions(view, setup);
  try {
    const [file = '', ...rest] = bubblewrapCommand(options, ['bash', '-c', 'exit 0']);
    await promisify(execFile)(file, rest, {
      env: commandEnvironment(WORKSPACE_ALIAS),
      timeout: 5000,
    });
    return null;
  } catch (error) {
    return describeFailure(error);
  }
}

function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 127) return 'the program bwrap is not installed';
  if ('code' in error && error.code === 'ENOENT') return 'the program bash is not installed';
  const stderr = 'stderr' in error && typeof error.stderr === 'string' ? error.stderr.trim() : '';
  return (stderr || error.message).split('\n', 1)[0] ?? '';
}

const namespaceOptions = (setup: BubblewrapSetup): string[] =>
  [
    ['--unshare-user', '--uid', '1000', '--gid', '1000'],
    setup.disablesNamespaces ? ['--disable-userns'] : [],
    ['--unshare-pid', '--unshare-ipc', '--unshare-net', '--unshare-uts', '--unshare-cgroup-try'],
    ['--hostname', 'workspace', '--die-with-parent', '--new-session'],
  ].flat();

const showSystemFolder = ({ path, linkTo }: SystemFolder): string[] =>
  linkTo === null ? ['--ro-bind', path, path] : ['--symlink', linkTo, path];

const isShownWithSystem = (folder: string): boolean =>
  SYSTEM_FOLDERS.some((shown) => isInside(shown, folder));

const hideFolder = (folder: string): string[] =>
  [
    ['--size', '4096', '--tmpfs', folder],
    ['--remount-ro', folder],
  ].flat();

function readSystemFolder(path: string): SystemFolder[] {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return [];
  return [{ path, linkTo: stats.isSymbolicLink() ? readlinkSync(path) : null }];
}
