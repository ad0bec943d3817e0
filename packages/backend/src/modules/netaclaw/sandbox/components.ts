import type { BooterKind, ComputerCapability } from '@netaclaw/contracts';

/**
 * What tools see of a computer, whatever drives it. Paths are relative to the workspace root unless a
 * booter allows more. Every method may throw `ComputerError`, and nothing else that is expected.
 */
export interface Computer {
  readonly kind: BooterKind;
  readonly capabilities: readonly ComputerCapability[];
  readonly shell: ShellComponent | null;
  readonly files: FileSystemComponent;
}

export interface CommandRequest {
  command: string;
  /** Relative to the workspace root. */
  cwd?: string;
  timeoutMs: number;
  /** Ends the whole process tree. */
  signal: AbortSignal;
}

export interface CommandResult {
  /** Null when the command was ended by a signal or by its time limit. */
  exitCode: number | null;
  /** Standard output and standard error, each cut to what the booter keeps (head and tail). */
  stdout: string;
  stderr: string;
  timedOut: boolean;
  /** A sentence, when the computer ended the command for another reason than time: too many processes, for example. */
  endedBecause?: string;
}

export interface ShellComponent {
  /** Runs a command with `bash -c`, or what the computer has in its place. */
  run(request: CommandRequest): Promise<CommandResult>;
}

export interface DirectoryEntry {
  name: string;
  kind: 'file' | 'directory' | 'link' | 'other';
  /** Bytes; null for what is not a file. */
  size: number | null;
}

export interface SearchRequest {
  /** A regular expression, or plain text with `literal`. */
  pattern: string;
  literal: boolean;
  ignoreCase: boolean;
  /** Where to begin; a folder or a file. */
  path: string;
  /** Only files whose name or path fits, for example `*.ts` or `src/**`. */
  glob?: string;
  maxMatches: number;
  signal: AbortSignal;
}

export interface SearchMatch {
  path: string;
  /** 1-based. */
  line: number;
  text: string;
}

export interface SearchResult {
  matches: SearchMatch[];
  /** True when there were more than `maxMatches`, or not every file could be read. */
  incomplete: boolean;
}

export interface FileSystemComponent {
  /** The text of a file. Refuses what is no regular file, is larger than the booter reads, or is not text. */
  readText(path: string): Promise<string>;
  /** The bytes of a file. Refuses what is no regular file or has more than `mostBytes`, without reading it whole. */
  readBytes(path: string, mostBytes: number): Promise<Buffer>;
  /** Replaces or creates a file, with the folders above it. */
  writeText(path: string, text: string): Promise<void>;
  list(path: string): Promise<DirectoryEntry[]>;
  search(request: SearchRequest): Promise<SearchResult>;
  /** Brings a file of the server into the computer. */
  upload(serverPath: string, path: string): Promise<void>;
  /** Brings a file of the computer to the server. */
  download(path: string, serverPath: string): Promise<void>;
  remove(path: string): Promise<void>;
}

/** A closed set, so that tools and the pool can act on the kind of failure. */
export type ComputerErrorCode =
  | 'not_found'
  | 'not_a_file'
  | 'not_a_directory'
  | 'outside_workspace'
  | 'invalid_path'
  | 'too_large'
  | 'not_text'
  | 'denied'
  | 'unavailable'
  | 'failed';

/** `message` says what failed, for which path or command, and what to try. */
export class ComputerError extends Error {
  override readonly name = 'ComputerError';
  constructor(
    readonly code: ComputerErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
