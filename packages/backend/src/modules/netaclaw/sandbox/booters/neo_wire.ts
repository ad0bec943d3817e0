import type { DirectoryEntry } from '../components.js';
import {
  readCode,
  readEntries,
  readExec,
  type CodeAnswer,
  type ExecAnswer,
} from '../remote/answers.js';
import { fileBody } from '../remote/multipart.js';
import { jsonBody, type ServiceClient, type ServiceRequest } from '../remote/service_client.js';
import type { Allowance, SandboxWire } from '../remote/wire.js';
import { neoMeaning } from './neo_requests.js';

const LONGEST_SECONDS = 300;
/** For a sandbox that starts first, and the way there and back. */
const ALLOWANCE_MS = 60_000;
const TRANSFER_MS = 300_000;

const clamped = (seconds: number): number => Math.min(LONGEST_SECONDS, Math.max(1, seconds));

type FileRequest = Pick<ServiceRequest, 'method' | 'query' | 'body' | 'timeoutMs'>;

/** One sandbox of Shipyard Neo. */
export class NeoWire implements SandboxWire {
  readonly longestMs = LONGEST_SECONDS * 1000;
  private readonly base: string;

  constructor(
    private readonly client: ServiceClient,
    id: string,
  ) {
    this.base = `/v1/sandboxes/${encodeURIComponent(id)}`;
  }

  async exec(command: string, allowance: Allowance): Promise<ExecAnswer> {
    return readExec(await this.execute('/shell/exec', { command }, allowance));
  }

  async code(code: string, allowance: Allowance): Promise<CodeAnswer> {
    return readCode(await this.execute('/python/exec', { code }, allowance));
  }

  open(path: string): Promise<AsyncIterable<Buffer>> {
    const request = { method: 'GET' as const, query: { path }, timeoutMs: TRANSFER_MS };
    return this.client.stream(this.fileRequest('download', path, request));
  }

  async write(path: string, content: string): Promise<void> {
    const request = { method: 'PUT' as const, body: jsonBody({ path, content }) };
    await this.client.json(this.fileRequest('files', path, request));
  }

  async list(path: string): Promise<DirectoryEntry[]> {
    const request = { method: 'GET' as const, query: { path } };
    return readEntries(await this.client.json(this.fileRequest('directories', path, request)));
  }

  async remove(path: string): Promise<void> {
    const request = { method: 'DELETE' as const, query: { path } };
    await this.client.json(this.fileRequest('files', path, request));
  }

  async upload(serverPath: string, path: string): Promise<void> {
    const body = await fileBody(serverPath, { name: 'path', path });
    const request = { method: 'POST' as const, body, timeoutMs: TRANSFER_MS };
    await this.client.json(this.fileRequest('upload', path, request));
  }

  private execute(
    path: string,
    fields: Readonly<Record<string, unknown>>,
    { seconds, signal }: Allowance,
  ): Promise<unknown> {
    return this.client.json({
      method: 'POST',
      path: this.base + path,
      body: jsonBody({ ...fields, timeout: clamped(seconds) }),
      repeatable: false,
      signal,
      timeoutMs: clamped(seconds) * 1000 + ALLOWANCE_MS,
      meaning: neoMeaning({ doing: 'run it' }),
    });
  }

  private fileRequest(action: string, path: string, request: FileRequest): ServiceRequest {
    return {
      ...request,
      path: `${this.base}/filesystem/${action}`,
      repeatable: true,
      meaning: neoMeaning({ path, doing: 'use the file' }),
    };
  }
}
