import { ComputerError, type DirectoryEntry } from '../components.js';
import {
  flattened,
  readCode,
  readEntries,
  readExec,
  type CodeAnswer,
  type ExecAnswer,
} from '../remote/answers.js';
import type { Subject } from '../remote/meanings.js';
import { fileBody } from '../remote/multipart.js';
import type { RequestBody, ServiceClient } from '../remote/service_client.js';
import { soundsMissing, type ServiceFailure } from '../remote/service_failure.js';
import type { Allowance, SandboxWire } from '../remote/wire.js';

/** The calls that Shipyard's ships and Boxlite's containers have in common; only their envelope differs. */
export type FlatCall =
  'shell/exec' | 'ipython/exec' | 'fs/write_file' | 'fs/list_dir' | 'fs/delete_file';

/** What is particular to one of the two services. */
export interface FlatWire {
  client: ServiceClient;
  headers: Readonly<Record<string, string>>;
  longestMs: number;
  meaning: (subject: Subject) => (failure: ServiceFailure) => ComputerError;
  /** Where a call goes and in which envelope. */
  call: (
    type: FlatCall,
    payload: Readonly<Record<string, unknown>>,
  ) => { path: string; body: RequestBody };
  upload: string;
  download: string;
}

const ALLOWANCE_MS = 30_000;
const FILE_SECONDS = 30;
const TRANSFER_MS = 300_000;

interface Asked {
  type: FlatCall;
  payload: Readonly<Record<string, unknown>>;
  subject: Subject;
  allowance?: Allowance;
}

/** One sandbox whose calls answer flat, or with the same fields under `data`. */
export class FlatSandboxWire implements SandboxWire {
  readonly longestMs: number;

  constructor(private readonly service: FlatWire) {
    this.longestMs = service.longestMs;
  }

  async exec(command: string, allowance: Allowance): Promise<ExecAnswer> {
    const payload = { command, timeout: this.clamped(allowance), background: false };
    const subject = { doing: 'run commands' };
    const read = readExec(await this.ask({ type: 'shell/exec', payload, subject, allowance }));
    if (!read.success && read.exitCode === null) throw this.unfinished(read.error, subject);
    return read;
  }

  async code(code: string, allowance: Allowance): Promise<CodeAnswer> {
    const payload = { code, timeout: this.clamped(allowance), silent: false };
    const subject = { doing: 'run Python' };
    return readCode(await this.ask({ type: 'ipython/exec', payload, subject, allowance }));
  }

  open(path: string): Promise<AsyncIterable<Buffer>> {
    const { client, download, headers, meaning } = this.service;
    return client.stream({
      method: 'GET',
      path: download,
      query: { file_path: path },
      headers,
      repeatable: true,
      timeoutMs: TRANSFER_MS,
      meaning: meaning({ path, doing: 'read a file' }),
    });
  }

  async write(path: string, content: string): Promise<void> {
    await this.onFile('fs/write_file', { path, content });
  }

  async list(path: string): Promise<DirectoryEntry[]> {
    return readEntries(await this.onFile('fs/list_dir', { path, show_hidden: true }));
  }

  async remove(path: string): Promise<void> {
    await this.onFile('fs/delete_file', { path });
  }

  async upload(serverPath: string, path: string): Promise<void> {
    const { client, upload, headers, meaning } = this.service;
    await client.json({
      method: 'POST',
      path: upload,
      body: await fileBody(serverPath, { name: 'file_path', path }),
      headers,
      repeatable: true,
      timeoutMs: TRANSFER_MS,
      meaning: meaning({ path, doing: 'take in a file' }),
    });
  }

  private async onFile(type: FlatCall, payload: { path: string; [field: string]: unknown }) {
    const subject = { path: payload.path, doing: 'use the file' };
    const answer = await this.ask({ type, payload, subject });
    const { success, error } = flattened(answer);
    // A call can be answered with 200 and still have failed.
    if (success === false) throw this.service.meaning(subject)(failureOf(error));
    return answer;
  }

  private ask({ type, payload, subject, allowance }: Asked): Promise<unknown> {
    const { client, call, headers, meaning } = this.service;
    return client.json({
      method: 'POST',
      ...call(type, payload),
      headers,
      repeatable: false,
      timeoutMs: (allowance?.seconds ?? FILE_SECONDS) * 1000 + ALLOWANCE_MS,
      meaning: meaning(subject),
      ...(allowance ? { signal: allowance.signal } : {}),
    });
  }

  private clamped({ seconds }: Allowance): number {
    return Math.min(seconds, Math.floor(this.longestMs / 1000));
  }

  private unfinished(error: string, subject: Subject): ComputerError {
    if (/time[d]?[ -]?out/i.test(error)) {
      return new ComputerError('timeout', `The service ended it at its own time limit (${error}).`);
    }
    return this.service.meaning(subject)({ ...failureOf(error), status: 400 });
  }
}

function failureOf(error: unknown): ServiceFailure {
  const message =
    typeof error === 'string' && error !== '' ? error : 'it failed and gave no reason';
  return { status: soundsMissing(message) ? 404 : 400, code: null, message, details: {} };
}
