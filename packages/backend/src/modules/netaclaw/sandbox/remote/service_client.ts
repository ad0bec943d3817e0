import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { EgressRefused, type EgressClient } from '../../../base/net/egress.js';
import { ComputerError } from '../components.js';
import { readFailure, waitAskedFor, type ServiceFailure } from './service_failure.js';

/** A body that can be made again for a second try. */
export interface RequestBody {
  contentType: string;
  length?: number;
  make(): string | AsyncIterable<Uint8Array>;
}

export interface ServiceRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the service's address; begins with `/`. */
  path: string;
  /** Blank values are left out. */
  query?: Readonly<Record<string, unknown>>;
  body?: RequestBody;
  headers?: Readonly<Record<string, string>>;
  /** Whether the same request may be sent again: it changes nothing, or changes it once. */
  repeatable: boolean;
  signal?: AbortSignal;
  timeoutMs?: number;
  /** How an error of the service is meant here. */
  meaning: (failure: ServiceFailure) => ComputerError;
}

export interface ServiceClientOptions {
  /** How sentences name it. */
  name: string;
  baseUrl: string;
  egress: EgressClient;
  /** Sent with every request; asked again for each. May throw `ComputerError`. */
  headers(): Promise<Readonly<Record<string, string>>>;
  /** A secret that no sentence may hold. */
  secret?: () => string | null;
  pace?: Partial<Pace>;
}

/** How patient it is. */
export interface Pace {
  tries: number;
  firstWaitMs: number;
  /** How long a sandbox that is not ready yet is waited for. */
  startMs: number;
}

const PACE: Pace = { tries: 3, firstWaitMs: 200, startMs: 120_000 };
const DEFAULT_TIMEOUT_MS = 30_000;
const MOST_ANSWER_BYTES = 64 * 1024 * 1024;
const LONGEST_WAIT_MS = 10_000;
const NOT_READY = 'session_not_ready';

export const jsonBody = (value: unknown): RequestBody => ({
  contentType: 'application/json',
  make: () => JSON.stringify(value),
});

/** One attempt that failed: what of it decides whether there is another. */
interface Attempt {
  error: ComputerError;
  /** Null: no answer came. */
  failure: ServiceFailure | null;
  waitMs: number | null;
}

/** One service of sandboxes over HTTP, through the egress client. Throws `ComputerError`. */
export class ServiceClient {
  private readonly pace: Pace;

  constructor(private readonly options: ServiceClientOptions) {
    this.pace = { ...PACE, ...options.pace };
  }

  get name(): string {
    return this.options.name;
  }

  /** The answer's JSON; null where there is none. */
  async json(request: ServiceRequest): Promise<unknown> {
    const { body } = await this.send(request);
    const text = (await readAll(body, this.name)).toString('utf8');
    try {
      return text === '' ? null : JSON.parse(text);
    } catch (error) {
      const message = `${this.name} answered what is no JSON. Look whether its address is right.`;
      throw new ComputerError('failed', message, { cause: error });
    }
  }

  /** The answer's bytes as they come. */
  async stream(request: ServiceRequest): Promise<AsyncIterable<Buffer>> {
    return (await this.send(request)).body;
  }

  private async send(request: ServiceRequest): Promise<Dispatcher.ResponseData> {
    const began = performance.now();
    for (let tried = 1; ; tried += 1) {
      const result = await this.attempt(request);
      if ('body' in result) return result;
      if (!this.mayTryAgain(result, request, { tried, began })) throw result.error;
      await this.pause(result, tried, request.signal);
    }
  }

  private mayTryAgain(
    { failure, error }: Attempt,
    { repeatable, signal }: ServiceRequest,
    { tried, began }: { tried: number; began: number },
  ): boolean {
    if (signal?.aborted) return false;
    // Nothing was begun, so whatever it is may be asked again.
    if (failure?.code === NOT_READY) return performance.now() - began < this.pace.startMs;
    if (!repeatable || tried >= this.pace.tries || error.code === 'not_found') return false;
    return failure === null
      ? error.code === 'unavailable'
      : failure.status === 429 || failure.status >= 500;
  }

  private async pause({ waitMs }: Attempt, tried: number, signal?: AbortSignal): Promise<void> {
    const ms = Math.min(LONGEST_WAIT_MS, waitMs ?? this.pace.firstWaitMs * 2 ** (tried - 1));
    await sleep(ms, undefined, signal ? { signal } : {}).catch(() => {
      throw this.cancelled();
    });
  }

  private async attempt(request: ServiceRequest): Promise<Dispatcher.ResponseData | Attempt> {
    const timeoutMs = request.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = request.signal ? AbortSignal.any([request.signal, timeout]) : timeout;
    try {
      const response = await this.dispatch(request, signal, timeoutMs);
      if (response.statusCode < 400) return response;
      const text = (await readAll(response.body, this.name)).toString('utf8');
      const failure = this.masked(readFailure(response.statusCode, text));
      const retryAfter = response.headers['retry-after'];
      return {
        error: request.meaning(failure),
        failure,
        waitMs: waitAskedFor(failure, typeof retryAfter === 'string' ? retryAfter : undefined),
      };
    } catch (error) {
      return { error: this.brokenOff(error, request, timeout), failure: null, waitMs: null };
    }
  }

  private async dispatch(
    { method, path, query, body, headers }: ServiceRequest,
    signal: AbortSignal,
    timeoutMs: number,
  ): Promise<Dispatcher.ResponseData> {
    const url = new URL(this.options.baseUrl.replace(/\/+$/, '') + path);
    for (const [name, value] of Object.entries(query ?? {})) {
      if (!isBlank(value)) url.searchParams.set(name, String(value));
    }
    const own = await this.options.headers();
    return this.options.egress.pool(url).request({
      path: url.pathname + url.search,
      method,
      headers: {
        accept: 'application/json',
        ...own,
        ...headers,
        ...(body ? { 'content-type': body.contentType } : {}),
        ...(body?.length === undefined ? {} : { 'content-length': String(body.length) }),
      },
      body: bodyOf(body),
      signal,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    });
  }

  private brokenOff(error: unknown, { signal }: ServiceRequest, timeout: AbortSignal) {
    if (error instanceof ComputerError) return error;
    if (signal?.aborted) return this.cancelled(error);
    const { name, options } = this;
    if (error instanceof EgressRefused) {
      return new ComputerError('denied', `${name} may not be asked: ${error.message}.`);
    }
    if (timeout.aborted) {
      const message = `${name} did not answer in time. Try again, or ask for less at once.`;
      return new ComputerError('timeout', message, { cause: error });
    }
    const why = error instanceof Error && error.message !== '' ? error.message : 'no reason given';
    const message = `${name} at ${options.baseUrl} could not be reached: ${why}. Try again; if it stays so, an operator should look at the service.`;
    return new ComputerError('unavailable', message, { cause: error });
  }

  private cancelled(cause?: unknown): ComputerError {
    return new ComputerError('failed', 'It was cancelled.', { cause });
  }

  private masked(failure: ServiceFailure): ServiceFailure {
    const secret = this.options.secret?.() ?? null;
    if (secret === null) return failure;
    return { ...failure, message: failure.message.replaceAll(secret, '***') };
  }
}

const isBlank = (value: unknown): boolean => value === undefined || value === null || value === '';

function bodyOf(body: RequestBody | undefined): Dispatcher.RequestOptions['body'] {
  const made = body?.make() ?? null;
  return typeof made === 'string' || made === null ? made : Readable.from(made);
}

async function readAll(body: AsyncIterable<Buffer>, name: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MOST_ANSWER_BYTES) {
      const message = `${name} answered more than ${MOST_ANSWER_BYTES} bytes. Write long output to a file and look at parts of it.`;
      throw new ComputerError('too_large', message);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
