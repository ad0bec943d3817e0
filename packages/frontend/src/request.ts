import type { Route } from '@netaclaw/contracts';
import { z } from 'zod';
import { connectionLost, connectionWorks } from './connection.js';
import { failureOf, isAbort, RequestFailure } from './failure.js';
import { readTokens, renewTokens } from './tokens.js';

type Input<Name extends string, Schema extends z.ZodType> = [Schema] extends [never]
  ? { [name in Name]?: undefined }
  : { [name in Name]: z.input<Schema> };

/** What a call of a route takes: exactly the parts that the contracts give it. */
export type CallInput<B extends z.ZodType, Q extends z.ZodType, P extends z.ZodType> = Input<
  'body',
  B
> &
  Input<'query', Q> &
  Input<'params', P> & { signal?: AbortSignal };

type Arguments<T> = object extends T ? [input?: T] : [input: T];

/** The same without its types: what goes over the wire. */
export interface RawInput {
  body?: unknown;
  query?: unknown;
  params?: unknown;
  signal?: AbortSignal;
  headers?: Record<string, string>;
}

type Path = Pick<Route, 'method' | 'path' | 'access'>;
type AskToSignIn = () => Promise<void>;

let askToSignIn: AskToSignIn = () =>
  Promise.reject(new RequestFailure('Sign in again', { kind: 'unauthorized' }));

/** Sets what happens when a sign-in has ended; a request waits for it and then goes on. */
export function onSignInEnded(ask: AskToSignIn): void {
  askToSignIn = ask;
}

/** Calls a route and answers its data, checked against the contracts. Throws `RequestFailure`. */
export async function call<
  A extends z.ZodType,
  B extends z.ZodType = never,
  Q extends z.ZodType = never,
  P extends z.ZodType = never,
>(route: Route<B, Q, P, A>, ...[input]: Arguments<CallInput<B, Q, P>>): Promise<z.output<A>> {
  return answerOf(route, await send(route, input ?? {}));
}

/** The data of a good response, checked against the contracts. */
export async function answerOf<A extends z.ZodType>(
  route: Pick<Route, 'path' | 'form'> & { answer: A },
  response: Response,
): Promise<z.output<A>> {
  const json: unknown = await response.json();
  const parsed = route.form === 'raw' ? route.answer.safeParse(json) : dataOf(route.answer, json);
  if (parsed.success) return parsed.data;
  const message = `The server's answer to ${route.path} is not as agreed: ${z.prettifyError(parsed.error)}`;
  throw new RequestFailure(message, { kind: 'unexpected', cause: parsed.error });
}

/**
 * Sends a request and answers the response once it is a good one: with the token, renewed when it has
 * run out, and after a new sign-in when that has ended. Throws `RequestFailure`.
 */
export async function send(route: Path, input: RawInput): Promise<Response> {
  const token = readTokens()?.token ?? null;
  const response = await reach(route, input, token);
  if (response.ok) return response;
  if (response.status !== 401 || route.access === 'open') throw await failureOf(response);
  await renewSignIn(token);
  const again = await reach(route, input, readTokens()?.token ?? null);
  if (again.ok) return again;
  throw await failureOf(again);
}

/** New tokens in place of `stale`, after a new sign-in when that has ended. */
export async function renewSignIn(stale: string | null): Promise<void> {
  const renewed = stale === null ? null : await renewTokens(stale);
  if (!renewed) await askToSignIn();
}

async function reach(route: Path, input: RawInput, token: string | null): Promise<Response> {
  try {
    const response = await fetch(urlOf(route.path, input), {
      method: route.method.toUpperCase(),
      headers: headersOf(input, token),
      ...(input.body === undefined ? {} : { body: bodyOf(input.body) }),
      ...(input.signal ? { signal: input.signal } : {}),
    });
    connectionWorks();
    return response;
  } catch (cause) {
    if (isAbort(cause)) throw cause;
    connectionLost();
    throw new RequestFailure('The server cannot be reached', { kind: 'network', cause });
  }
}

function headersOf({ body, headers }: RawInput, token: string | null): Record<string, string> {
  const isJson = body !== undefined && !(body instanceof FormData);
  return {
    ...(isJson ? { 'content-type': 'application/json' } : {}),
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    ...headers,
  };
}

const bodyOf = (body: unknown): BodyInit =>
  body instanceof FormData ? body : JSON.stringify(body);

const fieldsSchema = z.record(z.string(), z.union([z.string(), z.number()]).optional());

function urlOf(path: string, { params, query }: RawInput): string {
  const values = fieldsSchema.parse(params ?? {});
  const filled = path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(values[name])),
  );
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(fieldsSchema.parse(query ?? {}))) {
    if (value !== undefined) search.set(name, String(value));
  }
  return search.size > 0 ? `${filled}?${search}` : filled;
}

/** Looks into the envelope. */
function dataOf<A extends z.ZodType>(answer: A, json: unknown): z.ZodSafeParseResult<z.output<A>> {
  const envelope = z.object({ data: z.unknown() }).safeParse(json);
  return answer.safeParse(envelope.success ? envelope.data.data : undefined);
}
