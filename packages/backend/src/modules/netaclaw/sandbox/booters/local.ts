import { mkdir, realpath, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Booter, BooterKindInfo, UnavailableTool } from '../booter.js';
import { ComputerError, type Computer } from '../components.js';
import { systemCode } from '../file_error.js';
import { WorkspaceGuard } from '../workspace_guard.js';
import { WORKSPACE_ALIAS, workspaceFolderName } from '../workspace_path.js';
import type { BubblewrapSetup } from './bubblewrap.js';
import { DEFAULT_COMMAND_LIMITS, type CommandLimits } from './command_limits.js';
import { CommandQueue } from './command_queue.js';
import {
  bubblewrapIsolation,
  bubblewrapSetup,
  noIsolation,
  type Isolation,
  type LocalIsolation,
} from './isolation.js';
import { LocalFiles } from './local_files.js';
import { LocalShell } from './local_shell.js';

/** How computers on this machine are made. */
export interface LocalBooterOptions {
  /** The folder that holds one folder for each session; made when it is missing. */
  workspacesFolder: string;
  isolation: LocalIsolation;
  /** Further folders that may be read, by absolute path. Commands see them too, read-only. */
  readRoots?: readonly string[];
  /** Folders of the server that commands must never see: the data folder, the project folder. */
  hiddenFolders?: readonly string[];
  /** Commands that run at the same time, over all sessions; others wait. Default 8. */
  mostCommands?: number;
  limits?: Partial<CommandLimits>;
}

const FILE_TOOLS = ['read_file', 'write_file', 'list_dir', 'patch', 'search_files'];
const SHELL_TOOLS = ['bash'];

/** Computers on this machine: each session works in a folder of its own. */
export class LocalBooterKind implements BooterKindInfo {
  readonly kind = 'local';
  private readonly queue: CommandQueue;

  constructor(
    private readonly options: LocalBooterOptions,
    private readonly findSetup: () => Promise<BubblewrapSetup> = bubblewrapSetup,
  ) {
    this.queue = new CommandQueue(options.mostCommands ?? 8);
  }

  defaultTools(): readonly string[] {
    return [...SHELL_TOOLS, ...FILE_TOOLS];
  }

  defaultPrompts(): readonly string[] {
    return [
      `You have a workspace folder of your own on this server. Paths are relative to its root. Each command starts afresh in that root: a changed folder, a variable or a background process does not outlive it.${
        this.options.isolation === 'bubblewrap'
          ? ` Commands see it as ${WORKSPACE_ALIAS}, have no network, and cannot change anything outside it but /tmp, which is emptied after each command.`
          : ''
      }`,
    ];
  }

  async unavailableTools(): Promise<readonly UnavailableTool[]> {
    if (this.options.isolation === 'none') return [];
    const problem = await this.findSetup().then(() => null, toUnavailable);
    return problem === null ? [] : SHELL_TOOLS.map((name) => ({ name, detail: problem.message }));
  }

  create(sessionId: string): Booter {
    const { options, queue, findSetup } = this;
    return new LocalBooter(this, { sessionId, options, queue, findSetup });
  }

  async erase(sessionId: string): Promise<void> {
    const folder = join(this.options.workspacesFolder, workspaceFolderName(sessionId));
    await rm(folder, { recursive: true, force: true });
  }
}

interface LocalBooterParts {
  sessionId: string;
  options: LocalBooterOptions;
  queue: CommandQueue;
  findSetup: () => Promise<BubblewrapSetup>;
}

class LocalBooter implements Booter {
  private readonly closing = new AbortController();
  private computer: Computer | null = null;

  constructor(
    private readonly kind: LocalBooterKind,
    private readonly parts: LocalBooterParts,
  ) {}

  async boot(signal: AbortSignal): Promise<Computer> {
    signal.throwIfAborted();
    const { options } = this.parts;
    const workspace = await makeWorkspace(this.folder());
    const readRoots = await realFolders(options.readRoots ?? []);
    const guard = new WorkspaceGuard({ workspace, readRoots });
    const isolation = await this.isolate(workspace, readRoots);
    const shell = isolation === null ? null : this.makeShell(guard, isolation);
    this.computer = {
      kind: this.kind.kind,
      capabilities: shell === null ? ['filesystem'] : ['shell', 'filesystem'],
      shell,
      files: new LocalFiles(guard),
    };
    return this.computer;
  }

  tools(): readonly string[] | null {
    if (this.computer === null) return null;
    return this.computer.shell === null ? FILE_TOOLS : this.kind.defaultTools();
  }

  promptParts(): readonly string[] | null {
    return this.computer === null ? null : this.kind.defaultPrompts();
  }

  async healthy(): Promise<boolean> {
    if (this.closing.signal.aborted) return false;
    try {
      return (await stat(this.folder())).isDirectory();
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return false;
      throw new ComputerError('failed', 'The workspace could not be looked at.', { cause: error });
    }
  }

  /** Ends running commands; the files stay. */
  async shutdown(): Promise<void> {
    this.closing.abort(new ComputerError('unavailable', 'The computer was shut down.'));
  }

  private folder(): string {
    return join(this.parts.options.workspacesFolder, workspaceFolderName(this.parts.sessionId));
  }

  private makeShell(guard: WorkspaceGuard, isolation: Isolation): LocalShell {
    return new LocalShell({
      guard,
      isolation,
      limits: { ...DEFAULT_COMMAND_LIMITS, ...this.parts.options.limits },
      queue: this.parts.queue,
      closing: this.closing.signal,
    });
  }

  /** Null where commands cannot be isolated: then there is no shell, and files work all the same. */
  private async isolate(
    workspace: string,
    readRoots: readonly string[],
  ): Promise<Isolation | null> {
    const { options } = this.parts;
    if (options.isolation === 'none') return noIsolation(workspace);
    const setup = await this.parts.findSetup().catch(toUnavailable);
    if (setup instanceof ComputerError) return null;
    const limits = { ...DEFAULT_COMMAND_LIMITS, ...options.limits };
    const hidden = [
      homedir(),
      process.cwd(),
      options.workspacesFolder,
      ...(options.hiddenFolders ?? []),
    ];
    const hiddenFolders = await realFolders(hidden);
    return bubblewrapIsolation(
      { workspace, readRoots, hiddenFolders, scratchBytes: limits.scratchBytes },
      setup,
    );
  }
}

function toUnavailable(error: unknown): ComputerError {
  if (error instanceof ComputerError && error.code === 'unavailable') return error;
  throw error;
}

/** Only the server's user gets in: what a command makes there may be dangerous to others. */
async function makeWorkspace(folder: string): Promise<string> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return await realpath(folder);
  } catch (error) {
    throw new ComputerError(
      'unavailable',
      `The workspace folder could not be made: ${systemCode(error) ?? String(error)}. Check the server's data folder and its free space.`,
      { cause: error },
    );
  }
}

/** Those of the folders that exist, with links resolved. */
async function realFolders(folders: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const folder of folders) {
    try {
      found.push(await realpath(folder));
    } catch (error) {
      if (systemCode(error) !== 'ENOENT') throw error;
    }
  }
  return found;
}
