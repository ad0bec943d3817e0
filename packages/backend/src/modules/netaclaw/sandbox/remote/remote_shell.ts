import { randomUUID } from 'node:crypto';
import {
  ComputerError,
  type CommandRequest,
  type CommandResult,
  type ShellComponent,
} from '../components.js';
import { OutputCapture } from '../booters/output_capture.js';
import { quoteWord } from '../quote_word.js';
import { quotePath } from '../workspace_path.js';
import type { SandboxWire } from './wire.js';

/** Left for the service's own way there and back, so that the command's end is the first of the limits. */
const MARGIN_MS = 2_000;
const SHORTEST_MS = 100;
const CLEANUP_SECONDS = 5;
/** What coreutils' `timeout` exits with when it ended the command: by TERM, by KILL. */
const ENDED_BY_TIMEOUT = new Set([124, 137]);
const NO_FOLDER = 'netaclaw: no such folder';

/**
 * Runs commands in a sandbox. A command is wrapped so that it ends by itself in time and keeps what it wrote,
 * reads nothing from standard input, and can be ended from here when it is not wanted any more.
 */
export class RemoteShell implements ShellComponent {
  constructor(private readonly wire: SandboxWire) {}

  async run(request: CommandRequest): Promise<CommandResult> {
    const allowedMs = Math.max(
      SHORTEST_MS,
      Math.min(request.timeoutMs, this.wire.longestMs - MARGIN_MS),
    );
    const note = allowedMs < request.timeoutMs ? { allowedMs } : {};
    const mark = `/tmp/.netaclaw-${randomUUID()}`;
    const started = performance.now();
    try {
      const seconds = Math.ceil((allowedMs + MARGIN_MS) / 1000);
      const { signal } = request;
      const answer = await this.wire.exec(wrapped(request, { allowedMs, mark }), {
        seconds,
        signal,
      });
      if (answer.stderr.includes(NO_FOLDER)) throw noFolder(request.cwd ?? '.');
      const isOver = performance.now() - started >= allowedMs;
      const timedOut = isOver && answer.exitCode !== null && ENDED_BY_TIMEOUT.has(answer.exitCode);
      const code = answer.exitCode ?? (answer.success ? 0 : 1);
      return {
        exitCode: timedOut ? null : code,
        stdout: cut(answer.stdout),
        stderr: cut(answer.stderr),
        timedOut,
        ...(timedOut ? note : {}),
      };
    } catch (error) {
      return this.endOf(error, { request, mark, note });
    }
  }

  /** A command that was cancelled or outlived every limit is over, with a result; all else is an error. */
  private async endOf(
    error: unknown,
    { request, mark, note }: { request: CommandRequest; mark: string; note: object },
  ): Promise<CommandResult> {
    const nothing = { exitCode: null, stdout: '', stderr: '' };
    if (request.signal.aborted) {
      await this.end(mark);
      return { ...nothing, timedOut: false, endedBecause: 'it was cancelled' };
    }
    if (!(error instanceof ComputerError) || error.code !== 'timeout') throw error;
    await this.end(mark);
    return { ...nothing, timedOut: true, ...note };
  }

  /** Whatever comes of it: the wrapper's own time limit ends the command at the latest. */
  private async end(mark: string): Promise<void> {
    const signal = AbortSignal.timeout(CLEANUP_SECONDS * 1000);
    const command = `kill -TERM "$(cat ${mark})" 2>/dev/null; rm -f ${mark}`;
    await this.wire.exec(command, { seconds: CLEANUP_SECONDS, signal }).catch(() => null);
  }
}

function wrapped(
  { command, cwd }: CommandRequest,
  { allowedMs, mark }: { allowedMs: number; mark: string },
): string {
  if (command.includes('\0')) {
    throw new ComputerError('failed', 'The command has a NUL character in it; leave it out.');
  }
  const folder = quoteWord(cwd ?? '.');
  const inner = quoteWord(command);
  return [
    `cd -- ${folder} 2>/dev/null || { echo ${quoteWord(NO_FOLDER)} >&2; exit 254; }`,
    `if command -v timeout >/dev/null 2>&1; then timeout -k 1 ${allowedMs / 1000} bash -c ${inner} </dev/null & else bash -c ${inner} </dev/null & fi`,
    `p=$!; echo $p >${mark}; wait $p; c=$?; rm -f ${mark}; exit $c`,
  ].join('\n');
}

function noFolder(cwd: string): ComputerError {
  const message = `The folder ${quotePath(cwd)} does not exist. List the folder above it to see what is there.`;
  return new ComputerError('not_found', message);
}

function cut(text: string): string {
  const output = new OutputCapture();
  output.push(Buffer.from(text));
  return output.text();
}
