import type { BooterKind, ComputerCapability } from '@netaclaw/contracts';

/**
 * What tools see of a computer, whatever drives it. Paths are relative to the workspace root unless a
 * booter allows more. Every method may throw `ComputerError`, and nothing else that is expected.
 */
export interface Computer {
  readonly kind: BooterKind;
  readonly capabilities: readonly ComputerCapability[];
  readonly shell: ShellComponent | null;
  readonly python: PythonComponent | null;
  readonly files: FileSystemComponent;
  readonly browser: BrowserComponent | null;
  /** What was executed in it, kept by its service; null where nothing is kept. */
  readonly history: HistoryComponent | null;
  /** The life cycle of skills that are made in such computers; null where there is none. */
  readonly skills: SkillComponent | null;
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
  /** Set when the computer allowed less time than was asked for. */
  allowedMs?: number;
}

export interface ShellComponent {
  /** Runs a command with `bash -c`, or what the computer has in its place. */
  run(request: CommandRequest): Promise<CommandResult>;
}

export interface PythonRequest {
  code: string;
  timeoutMs: number;
  signal: AbortSignal;
}

export interface PythonResult {
  success: boolean;
  /** What it printed, and where the computer says so the value of its last line. */
  output: string;
  /** The traceback or the reason; empty when it went well. */
  error: string;
  /** Pictures it drew; they are counted, not sent. */
  images: number;
  timedOut: boolean;
  /** Set when the computer allowed less time than was asked for. */
  allowedMs?: number;
}

export interface PythonComponent {
  run(request: PythonRequest): Promise<PythonResult>;
}

/** A service's own record; its fields are passed on as the service names them. */
export type ServiceRecord = Readonly<Record<string, unknown>>;

/** What is asked of a service in its own words. */
export interface ServiceCall {
  fields: ServiceRecord;
  signal: AbortSignal;
}

export interface BrowserComponent {
  /** `cmd` and options, in the service's own fields. */
  exec(call: ServiceCall): Promise<ServiceRecord>;
  batch(call: ServiceCall): Promise<ServiceRecord>;
  runSkill(skillKey: string, call: ServiceCall): Promise<ServiceRecord>;
}

export interface HistoryComponent {
  list(call: ServiceCall): Promise<ServiceRecord>;
  annotate(executionId: string, call: ServiceCall): Promise<ServiceRecord>;
}

/** Payload, candidate, evaluation, release: of the whole service, whichever sandbox a skill was made in. */
export interface SkillComponent {
  createPayload(call: ServiceCall): Promise<ServiceRecord>;
  payload(payloadRef: string, signal: AbortSignal): Promise<ServiceRecord>;
  createCandidate(call: ServiceCall): Promise<ServiceRecord>;
  candidates(call: ServiceCall): Promise<ServiceRecord>;
  evaluate(candidateId: string, call: ServiceCall): Promise<ServiceRecord>;
  promote(candidateId: string, call: ServiceCall): Promise<ServiceRecord>;
  releases(call: ServiceCall): Promise<ServiceRecord>;
  rollback(releaseId: string, signal: AbortSignal): Promise<ServiceRecord>;
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
  /** The computer has ended for good, with its files; a new one can be booted. */
  | 'gone'
  /** It has not what was asked for: no browser, for example. */
  | 'unsupported'
  /** It took longer than it may. */
  | 'timeout'
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
