import { setTimeout as wait } from 'node:timers/promises';

/** How often and how patiently a failed request is made again. */
export interface RetryPolicy {
  maxRetries: number;
  /** Before the first retry; doubles for each further one. */
  baseDelayMs: number;
  maxDelayMs: number;
  /** A provider that asks for a longer pause is not waited for. */
  maxRetryAfterMs: number;
}

export const DEFAULT_RETRY_POLICY: RetryPolicy = {
  maxRetries: 2,
  baseDelayMs: 500,
  maxDelayMs: 8_000,
  maxRetryAfterMs: 30_000,
};

/** What a failed request says about trying again. */
export interface Retryability {
  retryable: boolean;
  /** The pause the provider asked for. */
  retryAfterMs: number | null;
}

/** The clockwork that tests replace. `random` gives 0 to 1. `sleep` ends early when aborted. */
export interface RetryClockwork {
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  random(): number;
}

export const SYSTEM_CLOCKWORK: RetryClockwork = {
  async sleep(ms, signal) {
    await wait(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
  },
  random: Math.random,
};

/**
 * The pause before retry number `retry` (from 1), or null to give up: the failure will not heal, the
 * retries are spent, or the provider wants more time than the policy has. Pauses without a wish of
 * the provider are spread over their upper half, so that clients that failed together come back apart.
 */
export function retryDelay(
  failure: Retryability,
  retry: number,
  { policy, random }: { policy: RetryPolicy; random: number },
): number | null {
  if (!failure.retryable || retry > policy.maxRetries) return null;
  if (failure.retryAfterMs !== null) {
    return failure.retryAfterMs <= policy.maxRetryAfterMs ? failure.retryAfterMs : null;
  }
  const full = Math.min(policy.maxDelayMs, policy.baseDelayMs * 2 ** (retry - 1));
  return full * (0.5 + random / 2);
}

/** True for the statuses that may heal by themselves: too many requests, and the server's own errors. */
export function isRetryableStatus(status: number): boolean {
  return status === 429 || (status >= 500 && status !== 501);
}

/** Reads `Retry-After` (RFC 9110, 10.2.3): seconds or a date. Null when it is neither. */
export function parseRetryAfter(value: string | undefined, nowMs: number): number | null {
  if (value === undefined || value.trim() === '') return null;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return seconds < 0 ? null : seconds * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs);
}
