import type { EgressClient } from '../../base/net/egress.js';
import type { ChatModel, ModelEvent, ModelRequest } from '../runtime/port.js';
import type { AnswerFormat } from './answer_body.js';
import { startExchange, type Exchange } from './exchange.js';
import { ProviderFailure } from './provider_failure.js';
import {
  DEFAULT_RETRY_POLICY,
  retryDelay,
  SYSTEM_CLOCKWORK,
  type RetryClockwork,
  type RetryPolicy,
} from './retry.js';
import { wellFormedJson } from './well_formed_json.js';

/** What a protocol brings to be spoken over HTTP. */
export interface HttpChatModelOptions {
  name: string;
  url: URL;
  headers: Record<string, string>;
  timeoutMs: number;
  /** The pieces of the body, in order. */
  makeBody(request: ModelRequest): readonly string[];
  format: AnswerFormat;
  /** Removes the channel's secrets from a text. */
  mask(text: string): string;
  egress: EgressClient;
  policy?: RetryPolicy;
  clockwork?: RetryClockwork;
}

/**
 * A `ChatModel` that asks by one POST per call. Requests that fail before their first event are made
 * again as the policy allows; after it, a failure is the caller's to hear.
 */
export class HttpChatModel implements ChatModel {
  readonly rehearsal = false;
  readonly name: string;
  private readonly path: string;
  private readonly policy: RetryPolicy;
  private readonly clockwork: RetryClockwork;

  constructor(private readonly options: HttpChatModelOptions) {
    this.name = options.name;
    this.path = options.url.pathname + options.url.search;
    this.policy = options.policy ?? DEFAULT_RETRY_POLICY;
    this.clockwork = options.clockwork ?? SYSTEM_CLOCKWORK;
  }

  async *call(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    signal.throwIfAborted();
    const current: { exchange: Exchange | null } = { exchange: null };
    const abort = () => current.exchange?.abort(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    try {
      const body = encode(this.options.makeBody(request).map(wellFormedJson));
      const { inbox } = await this.open(body, { current, signal });
      for (;;) {
        const event = inbox.take();
        if (event === undefined) {
          await inbox.arrival();
        } else if (request.stream || event.type === 'answer') {
          yield event;
          if (event.type === 'answer') return;
        }
      }
    } finally {
      signal.removeEventListener('abort', abort);
      current.exchange?.abort(new Error('the reader left'));
    }
  }

  /** An exchange that has brought its first event; the failures before it are retried. */
  private async open(
    body: Buffer,
    { current, signal }: { current: { exchange: Exchange | null }; signal: AbortSignal },
  ): Promise<Exchange> {
    for (let retry = 1; ; retry++) {
      const exchange = this.start(body);
      current.exchange = exchange;
      await exchange.inbox.arrival();
      const failure = exchange.inbox.failureBeforeEvents;
      if (!failure) return exchange;
      await this.pause(failure.error, retry, signal);
    }
  }

  private start(body: Buffer): Exchange {
    const { egress, url, headers, timeoutMs, format, mask } = this.options;
    const request = { path: this.path, headers, body, timeoutMs, format, mask };
    return startExchange(egress.pool(url), request);
  }

  /** Waits until it is time to try again, or throws the failure when it is not worth it. */
  private async pause(error: unknown, retry: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (!(error instanceof ProviderFailure)) throw error;
    const random = this.clockwork.random();
    const delay = retryDelay(error, retry, { policy: this.policy, random });
    if (delay === null) throw error;
    await this.clockwork.sleep(delay, signal);
    signal.throwIfAborted();
  }
}

/** Writes the pieces one by one: for a long history, a tenth of what joining and encoding them costs. */
function encode(pieces: readonly string[]): Buffer {
  const size = pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);
  const body = Buffer.allocUnsafe(size);
  let at = 0;
  for (const piece of pieces) at += body.write(piece, at);
  return body;
}
