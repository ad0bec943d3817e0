import type { DirectoryEntry } from '../components.js';
import type { CodeAnswer, ExecAnswer } from './answers.js';

/** How long something may run in the sandbox, and what ends the waiting. */
export interface Allowance {
  seconds: number;
  signal: AbortSignal;
}

/** One sandbox of a service, in the fewest words that shell, Python and files need. Throws `ComputerError`. */
export interface SandboxWire {
  /** What the service allows one call to take. */
  readonly longestMs: number;
  exec(command: string, allowance: Allowance): Promise<ExecAnswer>;
  code(code: string, allowance: Allowance): Promise<CodeAnswer>;
  /** The bytes of a file as they come. */
  open(path: string): Promise<AsyncIterable<Buffer>>;
  write(path: string, text: string): Promise<void>;
  list(path: string): Promise<DirectoryEntry[]>;
  remove(path: string): Promise<void>;
  /** Brings a file of the server in. */
  upload(serverPath: string, path: string): Promise<void>;
}
