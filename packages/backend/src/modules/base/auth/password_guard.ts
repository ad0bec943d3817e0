import { Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { DomainError } from '../error.js';
import { KeyedQueue } from './keyed_queue.js';

const WRONG_PER_MINUTE = 10;
const SECONDS = 60;

export interface PasswordAttempt {
  name: string;
  ip: string;
}

/**
 * Holds back guessing: ten wrong passwords a minute for an address, and for a name. Attempts of one
 * address or name are looked at one after the other, so that many at once gain nothing.
 */
@Provide()
@Scope(ScopeEnum.Singleton)
export class PasswordGuard {
  private readonly limiter = new RateLimiterMemory({ points: WRONG_PER_MINUTE, duration: SECONDS });
  private readonly queue = new KeyedQueue();

  /** Runs `verify` and answers what it says. Throws 429 without running it after too many wrong ones. */
  check(attempt: PasswordAttempt, verify: () => Promise<boolean>): Promise<boolean> {
    const address = `address:${attempt.ip}`;
    const name = `name:${attempt.name.trim().toLowerCase()}`;
    return this.queue.run(address, () =>
      this.queue.run(name, () => this.checkNow([address, name], verify)),
    );
  }

  private async checkNow(
    [address, name]: [string, string],
    verify: () => Promise<boolean>,
  ): Promise<boolean> {
    await this.refuseTooMany(address);
    await this.refuseTooMany(name);
    const right = await verify();
    if (right) await this.limiter.delete(name);
    else await Promise.all([this.limiter.penalty(address), this.limiter.penalty(name)]);
    return right;
  }

  private async refuseTooMany(key: string): Promise<void> {
    const state = await this.limiter.get(key);
    if (state === null || state.consumedPoints < WRONG_PER_MINUTE) return;
    const retryAfter = Math.max(1, Math.ceil(state.msBeforeNext / 1000));
    throw new DomainError('rateLimited', `too many wrong passwords; try again in ${retryAfter} s`, {
      retryAfter,
    });
  }
}
