import type { IncomingMessage, ServerResponse } from 'node:http';
import { SUCCESS_CODE, type Route } from '@netaclaw/contracts';
import type { Actor } from '../auth/actor.js';
import { DomainError } from '../error.js';
import { isUnexpected, type FailureForm } from '../filter/error.js';
import { logger } from '../log/logger.js';
import { readJsonBody } from './body.js';
import { clientAddress } from './client_address.js';
import { HeadedAnswer, StreamAnswer, TextAnswer, type HandlerRequest } from './handler.js';
import type { Match } from './router.js';
import { validate } from './validate.js';

/** Finds out who calls and refuses who may not; null only for an open route. Throws `DomainError`. */
export type Authorize = (incoming: IncomingMessage, route: Route) => Promise<Actor | null>;

export interface Exchange {
  incoming: IncomingMessage;
  response: ServerResponse;
  match: Match;
  query: Record<string, unknown>;
  /** How a failure is worded. */
  failureForm: FailureForm;
}

/**
 * One request from its route to its answer: who is it, may they, what do they want, do it, answer.
 * Never throws; every failure is answered, in the form that the exchange names.
 */
export async function dispatch(exchange: Exchange, authorize: Authorize): Promise<void> {
  const { incoming, response, match, failureForm } = exchange;
  try {
    const actor = await authorize(incoming, match.handler.route);
    const request = await readRequest(exchange, actor);
    await answer(response, match.handler.route, await match.handler.handle(request));
  } catch (error) {
    answerFailure(response, error, failureForm);
  }
}

async function readRequest(
  exchange: Exchange,
  actor: Actor | null,
): Promise<HandlerRequest<Route>> {
  const { incoming, match, query, response } = exchange;
  const { route } = match.handler;
  let hangUp: AbortSignal | null = null;
  return {
    params: route.params && validate(route.params, match.params),
    query: route.query && validate(route.query, query),
    body: route.body && validate(route.body, await readJsonBody(incoming, route.maxBodyBytes)),
    // The type of an open route says null, that of any other an actor: `authorize` has seen to it.
    actor: actor as HandlerRequest<Route>['actor'],
    ip: clientAddress(incoming),
    headers: incoming.headers,
    incoming,
    get signal() {
      return (hangUp ??= hangUpOf(response));
    },
  };
}

async function answer(response: ServerResponse, route: Route, data: unknown): Promise<void> {
  if (data instanceof StreamAnswer) return data.write(response);
  if (data instanceof TextAnswer) return answerText(response, data);
  if (data instanceof HeadedAnswer) return answerHeaded(response, route, data);
  const isRaw = route.form === 'raw' || route.form === 'raw-stream';
  answerJson(response, 200, isRaw ? data : { code: SUCCESS_CODE, message: 'success', data });
}

async function answerHeaded(
  response: ServerResponse,
  route: Route,
  { data, headers }: HeadedAnswer<unknown>,
): Promise<void> {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  return answer(response, route, data);
}

function answerText(response: ServerResponse, { text, contentType, status }: TextAnswer): void {
  response.writeHead(status, {
    'content-type': contentType,
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

/** Writes a failure, unless an answer has begun: then all that is left is to cut it off. */
export function answerFailure(
  response: ServerResponse,
  error: unknown,
  failureForm: FailureForm,
): void {
  if (isUnexpected(error)) logger().error({ err: error }, 'request failed');
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const { status, body, retryAfter, headers = {} } = failureForm(error);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (retryAfter !== undefined) response.setHeader('retry-after', String(retryAfter));
  if (status === 413) response.setHeader('connection', 'close');
  answerJson(response, status, body);
}

function answerJson(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

function hangUpOf(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const hangUp = (): void => {
    if (!response.writableFinished)
      controller.abort(new DomainError('internal', 'the caller hung up'));
  };
  if (response.closed) hangUp();
  else response.once('close', hangUp);
  return controller.signal;
}
