import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import busboy from 'busboy';
import type { Json } from '../json.js';

/** A request as a stand-in got it. */
export interface SeenRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  /** Parsed JSON, or the fields and the file of a multipart body. */
  body: Json;
}

export interface StandInAnswer {
  status: number;
  body?: unknown;
  /** Sent as they are instead of JSON. */
  bytes?: Buffer;
  headers?: Record<string, string>;
}

/** Something that goes wrong, for as many fitting requests as `times` says. */
export interface Fault {
  /** `METHOD /path`, as a pattern. */
  on: RegExp;
  times: number;
  /** The connection breaks: before the answer, or after the request was carried out. */
  drop?: 'before' | 'after';
  answer?: StandInAnswer;
  delayMs?: number;
}

/** A service of sandboxes as far as its wire facts go, with faults that a test plays. */
export abstract class StandIn {
  readonly requests: SeenRequest[] = [];
  readonly faults: Fault[] = [];
  private readonly server: Server;
  url = '';

  constructor() {
    this.server = createServer((incoming, response) => void this.serve(incoming, response));
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    const address = this.server.address();
    if (typeof address !== 'object' || !address) throw new Error('the stand-in does not listen');
    this.url = `http://127.0.0.1:${address.port}`;
    return this;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Plays a fault once, or as often as it says. */
  fail(on: RegExp, fault: Omit<Fault, 'on' | 'times'> & { times?: number }): void {
    this.faults.push({ on, times: 1, ...fault });
  }

  /** How often something was asked. */
  count(on: RegExp): number {
    return this.requests.filter(({ method, path }) => on.test(`${method} ${path}`)).length;
  }

  protected abstract answer(request: SeenRequest): Promise<StandInAnswer> | StandInAnswer;

  private async serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://stand-in');
    const request: SeenRequest = {
      method: incoming.method ?? 'GET',
      path: decodeURIComponent(pathname),
      query: searchParams,
      headers: incoming.headers,
      body: await bodyOf(incoming).catch(() => null),
    };
    this.requests.push(request);
    const fault = this.takeFault(request);
    if (fault?.delayMs) await wait(fault.delayMs);
    if (fault?.drop === 'before') return void incoming.socket.destroy();
    const answer = fault?.answer ?? (await this.answer(request));
    if (fault?.drop === 'after') return void incoming.socket.destroy();
    send(response, answer);
  }

  private takeFault({ method, path }: SeenRequest): Fault | undefined {
    const fault = this.faults.find(({ on, times }) => times > 0 && on.test(`${method} ${path}`));
    if (fault) fault.times -= 1;
    return fault;
  }
}

function send(response: ServerResponse, { status, body, bytes, headers }: StandInAnswer): void {
  if (bytes) {
    response.writeHead(status, { 'content-type': 'application/octet-stream', ...headers });
    response.end(bytes);
    return;
  }
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(body === undefined ? '' : JSON.stringify(body));
}

async function bodyOf(incoming: IncomingMessage): Promise<Json> {
  if (String(incoming.headers['content-type']).startsWith('multipart/')) return formOf(incoming);
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
  return text === '' ? null : JSON.parse(text);
}

function formOf(incoming: IncomingMessage): Promise<Json> {
  const form: Json = {};
  const parser = busboy({ headers: incoming.headers, defParamCharset: 'utf8' });
  parser.on('field', (name, value) => (form[name] = value));
  parser.on('file', (name, stream) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => (form[name] = Buffer.concat(chunks)));
  });
  return new Promise((resolve, reject) => {
    parser.on('close', () => resolve(form));
    parser.on('error', reject);
    incoming.pipe(parser);
  });
}
