import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isOpenAiPath } from '@netaclaw/contracts';
import { DomainError } from '../error.js';
import { failureAnswer } from '../filter/error.js';
import { openAiFailureAnswer } from '../filter/open_ai_error.js';
import { answerFailure, dispatch, type Authorize } from './dispatcher.js';
import type { Router } from './router.js';

/** Headers of every answer. The console is the only page there is, and it needs nothing from elsewhere. */
const securityHeaders: readonly [string, string][] = [
  ['x-content-type-options', 'nosniff'],
  ['x-frame-options', 'DENY'],
  ['referrer-policy', 'no-referrer'],
  ['cross-origin-opener-policy', 'same-origin'],
  [
    'content-security-policy',
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; " +
      "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  ],
];

/** Answers a page or an asset of the console; false when the path is none. */
export type ServePage = (incoming: IncomingMessage, response: ServerResponse) => Promise<boolean>;

export interface RequestHandling {
  router: Router;
  authorize: Authorize;
  servePage: ServePage;
}

/** What every request goes through, route or page. Resolves when it has been answered. */
export async function handleRequest(
  incoming: IncomingMessage,
  response: ServerResponse,
  { router, authorize, servePage }: RequestHandling,
): Promise<void> {
  for (const [name, value] of securityHeaders) response.setHeader(name, value);
  const { path, query } = splitUrl(incoming.url ?? '/');
  const failureForm = isOpenAiPath(path) ? openAiFailureAnswer : failureAnswer;
  const match = router.find(incoming.method ?? 'GET', path);
  if (match) return dispatch({ incoming, response, match, query, failureForm }, authorize);
  try {
    if (await servePage(incoming, response)) return;
    throw new DomainError('notFound', `there is no ${incoming.method} ${path}`);
  } catch (error) {
    answerFailure(response, error, failureForm);
  }
}

function splitUrl(url: string): { path: string; query: Record<string, unknown> } {
  const at = url.indexOf('?');
  if (at < 0) return { path: url, query: {} };
  return { path: url.slice(0, at), query: queryOf(url.slice(at + 1)) };
}

/** A name given twice becomes a list, so that a schema can refuse it. */
function queryOf(text: string): Record<string, unknown> {
  const params = new URLSearchParams(text);
  const names = [...new Set(params.keys())];
  return Object.fromEntries(
    names.map((name) => {
      const values = params.getAll(name);
      return [name, values.length === 1 ? values[0] : values];
    }),
  );
}

/** Rejects with a sentence when the port cannot be had. Another process may still take it before `listen`. */
export async function refuseTakenPort(host: string, port: number): Promise<void> {
  if (port === 0) return;
  const probe = createServer();
  await listen(probe, host, port);
  await new Promise((resolve) => probe.close(resolve));
}

/** Listens; a taken port or an unusable host rejects with a sentence. Resolves to the port. */
export function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, host, port)));
    server.listen({ host, port }, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}

function listenError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE') {
    return new Error(
      `Port ${port} on ${host} is taken. Set PORT to another one (0: any free port).`,
    );
  }
  return new Error(`Cannot listen on ${host}:${port}: ${error.message}. See HOST and PORT.`);
}

/** Takes no more connections; resolves when the last one is closed. */
export async function stopListening(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  await closed;
}
