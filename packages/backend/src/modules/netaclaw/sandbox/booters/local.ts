import { mkdir, realpath, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { booterKinds } from '@netaclaw/contracts';
import type { Booter, BooterHost, BootRequest, HostParts, UnavailableTool } from '../booter.js';
import { ComputerError, type Computer } from '../components.js';
import { systemCode } from '../file_error.js';
import { WorkspaceGuard } from '../workspace_guard.js';
import { codeTools, fileTools } from '../tool_lists.js';
import { workspaceFolderName } from '../workspace_path.js';
import type { BubblewrapSetup } from './bubblewrap.js';
import { DEFAULT_COMMAND_LIMITS, type CommandLimits } from './command_limits.js';
import { CommandQueue } from '../command_queue.js';
import {
  bubblewrapIsolation,
  bubblewrapSetup,
  noIsolation,
  type Isolation,
  type LocalIsolation,
} from './isolation.js';
import { LocalFiles } from './local_files.js';
import { LocalPython, pythonProblem } from './local_python.js';
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
  /** What the prompt says of such a computer. */
  prompts?: readonly string[];
}

/** This machine's computers, as the server's settings say. */
export function createHost({ driver, settings }: HostParts): BooterHost {
  const { dataDir, localIsolation } = settings;
  return new LocalBooterHost({
    workspacesFolder: join(dataDir, 'workspaces'),
    isolation: localIsolation,
    hiddenFolders: [dataDir, process.cwd()],
    prompts: driver.defaultPrompts(settings),
  });
}

/** How this machine's setup is found out; tests say what there is. */
export interface LocalProbes {
  findSetup: () => Promise<BubblewrapSetup>;
  pythonProblem: () => Promise<string | null>;
}

/** Computers on this machine: each session works in a folder of its own. */
export class LocalBooterHost implements BooterHost {
  readonly profiles = null;
  readonly skills = null;
  private readonly queue: CommandQueue;
  private readonly probes: LocalProbes;

  constructor(
    private readonly options: LocalBooterOptions,
    probes: Partial<LocalProbes> = {},
  ) {
    this.queue = new CommandQueue(options.mostCommands ?? 8);
    this.probes = { findSetup: bubblewrapSetup, pythonProblem: () => pythonProblem(), ...probes };
  }

  async unavailableTools(): Promise<readonly UnavailableTool[]> {
    const isolation = await this.isolationProblem();
    if (isolation !== null) return codeTools.map((name) => ({ name, detail: isolation }));
    const python = await this.probes.pythonProblem();
    return python === null ? [] : [{ name: 'python', detail: python }];
  }

  async check(): Promise<{ version: null }> {
    const problem = await this.isolationProblem();
    if (problem !== null) throw new ComputerError('unavailable', problem);
    return { version: null };
  }

  create({ sessionId }: BootRequest): Booter {
    const { options, queue, probes } = this;
    return new LocalBooter({ sessionId, options, queue, probes });
  }

  async erase(sessionId: string): Promise<void> {
    const folder = join(this.options.workspacesFolder, workspaceFolderName(sessionId));
    await rm(folder, { recursive: true, force: true });
  }

  private async isolationProblem(): Promise<string | null> {
    if (this.options.isolation === 'none') return null;
    const problem = await this.probes.findSetup().then(() => null, toUnavailable);
    return problem?.message ?? null;
  }
}

interface LocalBooterParts {
  sessionId: string;
  options: LocalBooterOptions;
  queue: CommandQueue;
  probes: LocalProbes;
}

class LocalBooter implements Booter {
  private readonly closing = new AbortController();
  private computer: Computer | null = null;
  readonly remoteId = null;
  /** The folder outlives whatever worked in it. */
  readonly keepsFiles = true;
  readonly expiresAt = null;

  constructor(private readonly parts: LocalBooterParts) {}

  async boot(signal: AbortSignal): Promise<Computer> {
    signal.throwIfAborted();
    const { options } = this.parts;
    const workspace = await makeWorkspace(this.folder());
    const readRoots = await realFolders(options.readRoots ?? []);
    const guard = new WorkspaceGuard({ workspace, readRoots });
    const isolation = await this.isolate(workspace, readRoots);
    const shell = isolation === null ? null : this.makeShell(guard, isolation);
    const hasPython = shell !== null && (await this.parts.probes.pythonProblem()) === null;
    this.computer = {
      kind: booterKinds.local,
      capabilities: [
        ...(shell === null ? [] : (['shell'] as const)),
        ...(hasPython ? (['python'] as const) : []),
        'filesystem',
      ],
      shell,
      python: hasPython ? new LocalPython(shell) : null,
      files: new LocalFiles(guard),
      browser: null,
      history: null,
      skills: null,
    };
    return this.computer;
  }

  /** What is missing on this machine is told by `unavailableTools`, with the sentence that says what to do. */
  tools(): readonly string[] | null {
    return this.computer && [...codeTools, ...fileTools];
  }

  promptParts(): readonly string[] | null {
    return this.computer && (this.parts.options.prompts ?? []);
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

  async extend(): Promise<void> {
    // Nothing ends it.
  }

  async destroy(): Promise<void> {
    await this.shutdown();
    await rm(this.folder(), { recursive: true, force: true });
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
    const setup = await this.parts.probes.findSetup().catch(toUnavailable);
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
