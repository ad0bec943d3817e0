import { spawn, type ChildProcess } from 'node:child_process';
import { ComputerError } from '../components.js';
import type { Launch } from './isolation.js';
import { listSession, measureSession, measureTree, type ProcessUse } from './process_watch.js';

/** How long output that is still on its way is waited for once the command has ended. */
const DRAIN_MS = 500;

/** A started program with everything it starts: ended, measured and waited for as one. */
export class ProcessGroup {
  readonly child: ChildProcess;

  /** Starts the program in a session of its own. `ownNamespace`: its processes end with the first of them. */
  constructor(
    launch: Launch,
    private readonly ownNamespace: boolean,
  ) {
    this.child = spawn(launch.file, launch.arguments, {
      cwd: launch.cwd,
      env: launch.environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
  }

  /** What it uses now; stops adding up at `enough` threads. */
  measure(enough: number): ProcessUse {
    const { pid } = this.child;
    if (pid === undefined) return { threads: 0, memoryBytes: 0 };
    return this.ownNamespace ? measureTree(pid, enough) : measureSession(pid, enough);
  }

  /**
   * Ends everything at once. The end of the group takes a process namespace with it; without a namespace,
   * processes that made groups of their own are looked for in the session.
   */
  kill(): void {
    const { pid } = this.child;
    if (pid === undefined) return;
    killQuietly(-pid);
    if (!this.ownNamespace) listSession(pid).forEach(killQuietly);
  }

  /**
   * Waits until the program is over and its output has arrived; null when a signal ended it. What it left
   * running is ended first. A process that got away and keeps the output open is not waited for.
   */
  ended(): Promise<number | null> {
    const { child } = this;
    return new Promise((resolve, reject) => {
      let exitCode: number | null = null;
      let drain: NodeJS.Timeout | undefined;
      child.once('error', (error) => reject(startFailure(error)));
      child.once('exit', (code) => {
        exitCode = code;
        this.kill();
        drain = setTimeout(() => {
          child.stdout?.destroy();
          child.stderr?.destroy();
        }, DRAIN_MS);
      });
      child.once('close', () => {
        clearTimeout(drain);
        resolve(exitCode);
      });
    });
  }
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Already gone.
  }
}

const startFailure = (error: Error): ComputerError =>
  new ComputerError('failed', `The command could not be started: ${error.message}.`, {
    cause: error,
  });
