import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import getRawBody from 'raw-body';
import { DomainError, invalid } from '../error.js';

/** Bytes of a JSON body, unless its route says otherwise. Files have a route of their own. */
export const MAX_BODY_BYTES = 1024 * 1024;
const MAX_DEPTH = 64;

/** Keys that reach an object's prototype in careless code. */
const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype']);

/** Reads and parses a JSON body. An empty one is `{}`. Refuses with what was wrong. */
export async function readJsonBody(
  incoming: IncomingMessage,
  maxBytes = MAX_BODY_BYTES,
): Promise<unknown> {
  const text = await readText(incoming, maxBytes);
  if (text.trim() === '') return {};
  requireJson(incoming.headers['content-type']);
  const value = parseJson(text);
  refuseForbiddenKeys(value, '', 0);
  return value;
}

async function readText(incoming: IncomingMessage, maxBytes: number): Promise<string> {
  const encoding = incoming.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') {
    throw invalid([
      { path: '', message: `send the body as it is, not in Content-Encoding ${encoding}` },
    ]);
  }
  const length = incoming.headers['content-length'];
  const bytes = await getRawBody(incoming, { limit: maxBytes, length }).catch((error: unknown) => {
    throw refusalOf(error, maxBytes);
  });
  if (isUtf8(bytes)) return bytes.toString('utf8');
  throw invalid([{ path: '', message: 'the body is not valid UTF-8' }]);
}

function refusalOf(error: unknown, maxBytes: number): unknown {
  if (!(error instanceof Error) || !('type' in error)) return error;
  if (error.type === 'entity.too.large') {
    return new DomainError('tooLarge', `a body may have at most ${maxBytes} bytes`);
  }
  return new DomainError('validation', `the body could not be read: ${error.message}`);
}

function requireJson(contentType: string | undefined): void {
  if (contentType !== undefined && /^application\/([\w.+-]+\+)?json\b/i.test(contentType)) return;
  throw invalid([
    { path: '', message: 'send the body as JSON, with Content-Type: application/json' },
  ]);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : 'not JSON';
    throw invalid([{ path: '', message: `the body is not valid JSON: ${why}` }]);
  }
}

/** Walks the parsed value: an escaped key (`\u005f_proto__`) is found as well. */
function refuseForbiddenKeys(value: unknown, path: string, depth: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth >= MAX_DEPTH) {
    throw invalid([{ path, message: `nested more than ${MAX_DEPTH} levels deep` }]);
  }
  for (const [key, inner] of Object.entries(value)) {
    const at = path === '' ? key : `${path}.${key}`;
    if (forbiddenKeys.has(key)) throw invalid([{ path: at, message: 'this key is not allowed' }]);
    refuseForbiddenKeys(inner, at, depth + 1);
  }
}
