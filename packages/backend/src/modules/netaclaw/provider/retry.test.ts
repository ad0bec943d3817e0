import { describe, expect, it } from 'vitest';
import {
  DEFAULT_RETRY_POLICY as policy,
  isRetryableStatus,
  parseRetryAfter,
  retryDelay,
  SYSTEM_CLOCKWORK,
} from './retry.js';

describe('retryDelay', () => {
  it.each([
    {
      claim: 'a lasting failure is not retried',
      failure: { retryable: false, retryAfterMs: null },
      retry: 1,
      delay: null,
    },
    {
      claim: 'the first pause',
      failure: { retryable: true, retryAfterMs: null },
      retry: 1,
      delay: 500,
    },
    {
      claim: 'the second is twice as long',
      failure: { retryable: true, retryAfterMs: null },
      retry: 2,
      delay: 1000,
    },
    {
      claim: 'then it is over',
      failure: { retryable: true, retryAfterMs: null },
      retry: 3,
      delay: null,
    },
    {
      claim: 'the provider’s wish is followed',
      failure: { retryable: true, retryAfterMs: 7000 },
      retry: 1,
      delay: 7000,
    },
    {
      claim: 'a wish for no pause too',
      failure: { retryable: true, retryAfterMs: 0 },
      retry: 1,
      delay: 0,
    },
    {
      claim: 'a wish beyond the cap ends it',
      failure: { retryable: true, retryAfterMs: 31_000 },
      retry: 1,
      delay: null,
    },
  ])('$claim', ({ failure, retry, delay }) => {
    expect(retryDelay(failure, retry, { policy, random: 1 })).toBe(delay);
  });

  it('spreads pauses over their upper half, up to the longest', () => {
    const failure = { retryable: true, retryAfterMs: null };
    expect(retryDelay(failure, 1, { policy, random: 0 })).toBe(250);
    const patient = { ...policy, maxRetries: 20 };
    expect(retryDelay(failure, 20, { policy: patient, random: 1 })).toBe(policy.maxDelayMs);
  });
});

it.each([
  [429, true],
  [500, true],
  [503, true],
  [529, true],
  [501, false],
  [400, false],
  [401, false],
  [404, false],
])('status %i may heal: %s', (status, heals) => {
  expect(isRetryableStatus(status)).toBe(heals);
});

it.each([
  ['2', 2000],
  ['0.5', 500],
  ['Thu, 01 Jan 1970 00:00:10 GMT', 9000],
  ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
  ['-1', null],
  ['soon', null],
  ['', null],
  [undefined, null],
])('Retry-After %s is %s ms', (value, ms) => {
  expect(parseRetryAfter(value, 1000)).toBe(ms);
});

it('sleep ends with the signal’s reason', async () => {
  const reason = new Error('cancelled');
  const sleeping = SYSTEM_CLOCKWORK.sleep(60_000, AbortSignal.abort(reason));
  await expect(sleeping).rejects.toBe(reason);
});
