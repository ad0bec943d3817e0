import type { Readable } from 'node:stream';
import {
  ComputerError,
  type CommandRequest,
  type CommandResult,
  type ShellComponent,
} from '../components.js';
import type { WorkspaceGuard } from '../workspace_guard.js';
import { limitingPrelude, type CommandLimits } from './command_limits.js';
import type { CommandQueue } from '../command_queue.js';
import type { Isolation } from './isolation.js';
import { OutputCapture } from './output_capture.js';
import { ProcessGroup } from './process_group.js';
import { watchProcesses } from './process_watch.js';

/** The kernel takes no single argument above 128 KiB. */
const LONGEST_COMMAND = 120_000;

/** What a local shell works with. */
export interface LocalShellParts {
  guard: WorkspaceGuard;
  isolation: Isolation;
  limits: CommandLimits;
  queue: CommandQueue;
  /** Aborted when the computer shuts down. */
  closing: AbortSignal;
}

/** Why a command did not end by itself. */
type Ending = { timedOut: boolean; because: string | null };

/** Runs commands on this machine, each with its whole process tree, limits and time. */
export class LocalShell implements ShellComponent {
  constructor(private readonly parts: LocalShellParts) {}

  async run(request: CommandRequest): Promise<CommandResult> {
    refuseUnusable(request.command);
    const folder = await this.parts.guard.workingFolder(request.cwd ?? '.');
    const signal = AbortSignal.any([request.signal, this.parts.closing]);
    try {
      return await this.parts.queue.run(signal, () => this.execute({ ...request, signal }, folder));
    } catch (error) {
      if (error instanceof ComputerError || !signal.aborted) throw error;
      throw new ComputerError('failed', 'The command was cancelled before it began.', {
        cause: error,
      });
    }
  }

  private async execute(request: CommandRequest, folder: string): Promise<CommandResult> {
    const { isolation } = this.parts;
    const group = new ProcessGroup(
      isolation.launch(this.toProgram(request), folder),
      isolation.ownNamespace,
    );
    const [stdout, stderr] = [capture(group.child.stdout), capture(group.child.stderr)];
    const ending: Ending = { timedOut: false, because: null };
    const release = this.limit(group, request, ending);
    try {
      const exitCode = await group.ended();
      const stopped = ending.timedOut || ending.because !== null;
      return {
        exitCode: stopped ? null : exitCode,
        stdout: stdout.text(),
        stderr: stderr.text(),
        timedOut: ending.timedOut,
        ...(ending.because === null ? {} : { endedBecause: ending.because }),
      };
    } finally {
      release();
    }
  }

  private toProgram({ command, timeoutMs }: CommandRequest): string[] {
    const { limits, isolation } = this.parts;
    const prelude = limitingPrelude(limits, { timeoutMs, ownNamespace: isolation.ownNamespace });
    return ['bash', '--noprofile', '--norc', '-c', prelude, 'bash', command];
  }

  /** Ends the command at its deadline, at the signal and when it uses too much. Returns what undoes that. */
  private limit(group: ProcessGroup, request: CommandRequest, ending: Ending): () => void {
    const end = (change: Partial<Ending>): void => {
      // The first reason is the reason.
      if (!ending.timedOut && ending.because === null) Object.assign(ending, change);
      group.kill();
    };
    const timer = setTimeout(() => end({ timedOut: true }), request.timeoutMs);
    const abort = (): void => end({ because: 'it was cancelled' });
    request.signal.addEventListener('abort', abort, { once: true });
    if (request.signal.aborted) abort();
    const unwatch = watchProcesses(
      (enough) => group.measure(enough),
      this.parts.limits,
      (because) => end({ because }),
    );
    return () => {
      clearTimeout(timer);
      request.signal.removeEventListener('abort', abort);
      unwatch();
    };
  }
}

function refuseUnusable(command: string): void {
  if (command.includes('\0')) {
    throw new ComputerError('failed', 'The command has a NUL character in it; leave it out.');
  }
  if (Buffer.byteLength(command) > LONGEST_COMMAND) {
    throw new ComputerError(
      'too_large',
      `The command is longer than ${LONGEST_COMMAND} bytes. Write a script to a file and run that.`,
    );
  }
}

function capture(stream: Readable | null): OutputCapture {
  const output = new OutputCapture();
  stream?.on('data', (chunk: Buffer) => output.push(chunk));
  return output;
}
