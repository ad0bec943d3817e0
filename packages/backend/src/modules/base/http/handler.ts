import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Route } from '@netaclaw/contracts';
import type { z } from 'zod';
import type { Actor } from '../auth/actor.js';

type Parsed<T> = T extends z.ZodType ? z.output<T> : undefined;

/** Who may be behind a route: nobody known for an open one. */
type ActorOf<R extends Route> = R['access'] extends 'open' ? null : Actor;

/** A request that has passed rights and validation. */
export interface HandlerRequest<R extends Route> {
  body: Parsed<R['body']>;
  query: Parsed<R['query']>;
  params: Parsed<R['params']>;
  actor: ActorOf<R>;
  /** The caller's address. */
  ip: string;
  headers: IncomingMessage['headers'];
  /** The raw request, for a body that is no JSON. */
  incoming: IncomingMessage;
  /** Aborted when the caller hangs up; made when it is first read. */
  signal: AbortSignal;
}

/** An answer that writes itself: server-sent events, a file. */
export class StreamAnswer {
  constructor(readonly write: (response: ServerResponse) => Promise<void>) {}
}

/** A raw answer that is no JSON. */
export class TextAnswer {
  constructor(
    readonly text: string,
    readonly contentType: string,
    readonly status = 200,
  ) {}
}

/** An answer with headers of its own. */
export class HeadedAnswer<T> {
  constructor(
    readonly data: T,
    readonly headers: Readonly<Record<string, string>>,
  ) {}
}

type AnswerOf<R extends Route> = R['form'] extends 'stream'
  ? z.input<R['answer']> | StreamAnswer | TextAnswer
  : R['form'] extends 'raw'
    ? z.input<R['answer']> | TextAnswer
    : R['form'] extends 'raw-stream'
      ? HeadedAnswer<z.input<R['answer']>> | StreamAnswer
      : z.input<R['answer']>;

/** One route and what answers it, with the route's types forgotten. */
export interface Handler {
  route: Route;
  handle(request: HandlerRequest<Route>): Promise<unknown>;
}

/** Joins a route of the contracts with the function that answers it; the types come from the route. */
export function handle<R extends Route>(
  route: R,
  answer: (request: HandlerRequest<R>) => Promise<AnswerOf<R>>,
): Handler {
  // The dispatcher calls it with what this very route's schemas have parsed.
  return { route, handle: answer as Handler['handle'] };
}

/** A class that answers routes; the dispatcher collects them at start. */
export interface Controller {
  readonly handlers: readonly Handler[];
}
