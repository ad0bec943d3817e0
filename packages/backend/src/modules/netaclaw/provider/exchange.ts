import type { IncomingHttpHeaders } from 'node:http';
import { StringDecoder } from 'node:string_decoder';
import type { Dispatcher } from 'undici';
import { isRedirect } from '../../base/net/egress.js';
import { ANSWERED_NOTHING, BROKE_OFF } from '../runtime/provider/answer_reader.js';
import { ERROR_BODY_LENGTH, errorText } from '../runtime/provider/provider_error.js';
import { refusedBody, streamedBody, wholeBody } from './answer_body.js';
import type { AnswerBody, AnswerFormat, AnswerTarget } from './answer_body.js';
import { EventInbox } from './event_inbox.js';
import { brokenRequest, ProviderFailure, shownSentence } from './provider_failure.js';
import { isRetryableStatus, parseRetryAfter } from './retry.js';
import { streamTurns } from './stream_turns.js';

/** One POST to a model and how its answer is read. */
export interface ExchangeOptions {
  path: string;
  headers: Record<string, string>;
  body: Buffer;
  /** For the first byte, and for each silence after it. */
  timeoutMs: number;
  format: AnswerFormat;
  /** Removes secrets from what people will read. */
  mask(text: string): string;
}

const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

/** Sends one request. What comes of it, failures included, is in the exchange's inbox. */
export function startExchange(pool: Dispatcher, options: ExchangeOptions): Exchange {
  const exchange = new Exchange(options);
  const { path, headers, body, timeoutMs } = options;
  pool.dispatch(
    { path, method: 'POST', headers, body, headersTimeout: timeoutMs, bodyTimeout: timeoutMs },
    exchange,
  );
  return exchange;
}

/**
 * A request under way. It is undici's own handler rather than a stream: at one promise chain less per
 * chunk, many slow streams cost little.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly inbox = new EventInbox();
  private controller: Dispatcher.DispatchController | null = null;
  private body: AnswerBody | null = null;
  private bytes = 0;
  private progressAt = performance.now();
  /** Has come, but other work has its turn first; no more comes before it is read. */
  private waiting: Buffer | null = null;
  private readonly decoder = new StringDecoder('utf8');

  constructor(private readonly options: ExchangeOptions) {}

  /** Ends the request at once; the reader gets `reason`. Nothing happens when it is over. */
  abort(reason: unknown): void {
    if (this.inbox.isSettled) return;
    this.inbox.abandon(reason);
    this.controller?.abort(new Error('the request was given up'));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.inbox.isSettled) controller.abort(new Error('the request was given up'));
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (status < 200) return;
    this.body = this.bodyFor(status, headers);
    this.giveUpAfterFailure(controller);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const mayRead = streamTurns.mayRead(() => {
      this.readWaiting(controller);
      controller.resume();
    });
    if (mayRead) {
      this.read(controller, chunk);
      return;
    }
    this.waiting = chunk;
    controller.pause();
  }

  private readWaiting(controller: Dispatcher.DispatchController): void {
    const chunk = this.waiting;
    this.waiting = null;
    if (chunk) this.read(controller, chunk);
  }

  private read(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.bytes += chunk.length;
    if (this.bytes > MAX_ANSWER_BYTES) this.fail('the answer is larger than 32 MiB');
    if (!this.inbox.isSettled) this.body?.chunk(this.decoder.write(chunk));
    this.refuseEmptySigns();
    this.giveUpAfterFailure(controller);
  }

  onResponseEnd(): void {
    if (!this.inbox.isSettled) this.body?.end();
  }

  onResponseError(controller: Dispatcher.DispatchController, error: Error): void {
    this.readWaiting(controller);
    if (this.inbox.isSettled) return;
    this.body?.broken();
    const { problem, retryable } = brokenRequest(error, this.options.timeoutMs);
    const sentence = this.body === null ? problem : `${BROKE_OFF}: ${problem}`;
    this.fail(sentence, { retryable, cause: error });
  }

  /** Signs of life keep a connection open; they do not keep a user waiting without end. */
  private refuseEmptySigns(): void {
    const { timeoutMs } = this.options;
    if (this.inbox.isSettled || performance.now() - this.progressAt <= timeoutMs) return;
    this.fail(`the provider sent nothing but signs of life for ${timeoutMs} ms`);
  }

  /** A complete answer is read to its end, so that the connection can be used again; a failed one is not. */
  private giveUpAfterFailure(controller: Dispatcher.DispatchController): void {
    if (this.inbox.hasFailed) controller.abort(new Error('the answer was of no use'));
  }

  private bodyFor(status: number, headers: IncomingHttpHeaders): AnswerBody {
    if (status >= 300) return this.refusal(status, headers);
    const { format } = this.options;
    const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
    const target: AnswerTarget = {
      inbox: this.inbox,
      fail: (problem) => this.fail(problem),
      progress: () => {
        this.progressAt = performance.now();
      },
    };
    if (type === 'text/event-stream') return streamedBody(format.streamReader(), target);
    if (type === '' || /[/+]json$/.test(type)) return wholeBody(format.readWhole, target);
    return refusedBody(
      (text) => this.fail(wrongType(type, this.beginning(text))),
      ERROR_BODY_LENGTH,
    );
  }

  private refusal(status: number, headers: IncomingHttpHeaders): AnswerBody {
    const after = headers['retry-after'];
    const facts = {
      status,
      retryable: isRetryableStatus(status),
      retryAfterMs: parseRetryAfter(after, Date.now()),
    };
    const { location } = headers;
    return refusedBody((text) => {
      const words =
        isRedirect(status) && location ? redirectAdvice(location) : errorText(this.beginning(text));
      this.fail(`the provider answered with status ${status}${words && `: ${words}`}`, facts);
    }, ERROR_BODY_LENGTH);
  }

  /** Masked before it is cut, so that no half of a secret stays at the edge. */
  private beginning(text: string): string {
    return this.options.mask(text).slice(0, ERROR_BODY_LENGTH);
  }

  private fail(
    problem: string,
    facts: ConstructorParameters<typeof ProviderFailure>[1] = {},
  ): void {
    const sentence = shownSentence(problem, this.options.mask);
    const hasBegun = this.body?.hasCalls ?? false;
    const retryable = !hasBegun && (facts.retryable ?? problem === BROKE_OFF);
    this.inbox.fail(new ProviderFailure(sentence, { ...facts, retryable, hasBegun }));
  }
}

function wrongType(type: string, text: string): string {
  if (text.trim() === '') return ANSWERED_NOTHING;
  return `the provider answered with ${type} instead of JSON or an event stream: ${errorText(text)}`;
}

/** A model call is not sent on to another address by itself: it carries a key and a conversation. */
function redirectAdvice(location: string): string {
  const host = URL.canParse(location) ? new URL(location).host : location;
  return `it redirects to ${host}; set the channel's address to where it really is`;
}
