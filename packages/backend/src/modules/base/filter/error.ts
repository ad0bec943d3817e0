import { failures, type Failure, type FailureKind, type OpenAiFailure } from '@netaclaw/contracts';
import { DomainError } from '../error.js';

export interface FailureAnswer<Body = Failure> {
  status: number;
  body: Body;
  /** Seconds, for `Retry-After`. */
  retryAfter?: number;
  headers?: Readonly<Record<string, string>>;
}

/** How an error is worded for a caller: the common form, or that of another API that is spoken here. */
export type FailureForm = (error: unknown) => FailureAnswer<Failure | OpenAiFailure>;

/** The only place an error becomes an HTTP answer. What is no `DomainError` tells nothing of the inside. */
export function failureAnswer(error: unknown): FailureAnswer {
  if (!(error instanceof DomainError)) {
    return answer('internal', 'something went wrong on the server; its log says more');
  }
  const result = answer(error.kind, error.message, error.details);
  return error.kind === 'rateLimited'
    ? { ...result, retryAfter: secondsOf(error.details) }
    : result;
}

/** True for an error that the operator must hear of: a bug or a lost connection. */
export const isUnexpected = (error: unknown): boolean => !(error instanceof DomainError);

function answer(kind: FailureKind, message: string, details?: unknown): FailureAnswer {
  const { status, code } = failures[kind];
  return { status, body: { code, message, ...(details === undefined ? {} : { details }) } };
}

function secondsOf(details: unknown): number {
  const hasSeconds = typeof details === 'object' && details !== null && 'retryAfter' in details;
  return hasSeconds ? Math.max(1, Math.ceil(Number(details.retryAfter))) : 1;
}
