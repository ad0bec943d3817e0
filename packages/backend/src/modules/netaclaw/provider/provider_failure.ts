import { EgressRefused } from '../../base/net/egress.js';
import { ModelError } from '../runtime/port.js';
import { excerpt } from '../runtime/provider/provider_error.js';
import type { Retryability } from './retry.js';

interface FailureFacts {
  status?: number;
  cause?: unknown;
  /** Part of the answer had come. */
  hasBegun?: boolean;
}

/** A `ModelError` that also says whether asking again could help. */
export class ProviderFailure extends ModelError implements Retryability {
  constructor(
    message: string,
    readonly facts: Partial<Retryability> & FailureFacts = {},
  ) {
    super(message, facts.status ?? null, facts.cause ? { cause: facts.cause } : undefined);
  }

  override get hasBegun(): boolean {
    return this.facts.hasBegun ?? false;
  }

  get retryable(): boolean {
    return this.facts.retryable ?? false;
  }

  get retryAfterMs(): number | null {
    return this.facts.retryAfterMs ?? null;
  }
}

/** A sentence as it may be shown: secrets removed, then shortened, never empty. */
export function shownSentence(text: string, mask: (text: string) => string): string {
  return excerpt(mask(text)) || 'the provider failed without a word';
}

/** Faults of the way to the provider that may be gone the next moment. */
const passing = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** What a broken request means: a sentence, and whether it may heal. */
export function brokenRequest(
  error: Error,
  timeoutMs: number,
): { problem: string; retryable: boolean } {
  if (error instanceof EgressRefused) return { problem: error.message, retryable: false };
  const code = codeOf(error);
  return { problem: problemOf(code, error, timeoutMs), retryable: passing.has(code) };
}

function problemOf(code: string, error: Error, timeoutMs: number): string {
  switch (code) {
    case 'UND_ERR_HEADERS_TIMEOUT':
      return `the provider did not answer within ${timeoutMs} ms`;
    case 'UND_ERR_BODY_TIMEOUT':
      return `the provider fell silent for ${timeoutMs} ms in the middle of its answer`;
    case 'ECONNREFUSED':
      return `the provider refused the connection (${error.message || code})`;
    case 'ENOTFOUND':
      return `the provider's host was not found (${error.message})`;
    default:
      return `the connection to the provider broke (${error.message || code || error.name})`;
  }
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}
