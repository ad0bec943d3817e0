import { join, relative } from 'node:path';
import { ComputerError } from '../components.js';
import { WORKSPACE_ALIAS } from '../workspace_path.js';
import {
  bubblewrapCommand,
  bubblewrapOptions,
  commandEnvironment,
  probeBubblewrap,
  type BubblewrapSetup,
  type BubblewrapView,
} from './bubblewrap.js';

/** How far a command is kept from the machine. `none` is for a trusted machine with a single user. */
export type LocalIsolation = 'bubblewrap' | 'none';

/** A program to start. */
export interface Launch {
  file: string;
  arguments: string[];
  environment: Record<string, string>;
  cwd: string;
}

/** Turns a program and the real folder it starts in into what is really started. */
export interface Isolation {
  /** Whether processes are in a namespace of their own, which ends with its first process. */
  readonly ownNamespace: boolean;
  launch(program: readonly string[], folder: string): Launch;
}

/** A command is a plain process in the workspace, with a clean environment. */
export const noIsolation = (workspace: string): Isolation => ({
  ownNamespace: false,
  launch: ([file = 'bash', ...rest], folder) => ({
    file,
    arguments: rest,
    environment: commandEnvironment(workspace),
    cwd: folder,
  }),
});

/** A command sees system folders, its workspace and nothing else. */
export const bubblewrapIsolation = (view: BubblewrapView, setup: BubblewrapSetup): Isolation => ({
  ownNamespace: true,
  launch: (program, folder) => {
    const cwd = join(WORKSPACE_ALIAS, relative(view.workspace, folder));
    const options = [...bubblewrapOptions(view, setup), '--chdir', cwd];
    const [file = '', ...rest] = bubblewrapCommand(options, program);
    // Also the environment of the namespace's first process, which commands can read.
    return { file, arguments: rest, environment: commandEnvironment(WORKSPACE_ALIAS), cwd: '/' };
  },
});

let probe: ReturnType<typeof probeBubblewrap> | null = null;

/** The setup of this machine's bubblewrap, found out once; throws `unavailable` where it does not work. */
export async function bubblewrapSetup(): Promise<BubblewrapSetup> {
  probe ??= probeBubblewrap();
  const found = await probe;
  if ('setup' in found) return found.setup;
  throw new ComputerError('unavailable', unavailableSentence(found.problem));
}

/** What an operator is told where commands cannot be isolated. */
export const unavailableSentence = (problem: string): string =>
  `Commands cannot be isolated on this server: ${problem}. Install bubblewrap 0.7 or newer (apt-get install bubblewrap), or set LOCAL_ISOLATION=none on a trusted single-user machine to run them without isolation.`;
