import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { Database } from '../data/database.js';
import { BaseApiKeyEntity } from '../entity/api_key.js';
import { logger } from '../log/logger.js';

const ONCE_EVERY_MS = 60_000;
/** Keys used within this time are stored together. */
const GATHER_MS = 1000;

/** When each API key was last used: to the minute, and never in the way of a request. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class KeyUsage {
  @Inject() database: Database;
  private readonly storedAt = new Map<number, number>();
  private readonly waiting = new Set<number>();
  private timer: NodeJS.Timeout | null = null;

  /** Remembers that a key is being used. */
  note(id: number): void {
    const now = Date.now();
    if (now - (this.storedAt.get(id) ?? 0) < ONCE_EVERY_MS) return;
    this.storedAt.set(id, now);
    this.waiting.add(id);
    this.timer ??= setTimeout(() => void this.flush(), GATHER_MS).unref();
  }

  /** Stores what is remembered. Never throws: a use that cannot be stored is logged. */
  async flush(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    const ids = [...this.waiting];
    this.waiting.clear();
    if (ids.length === 0) return;
    try {
      await this.database.writeOne((manager) =>
        manager.update(BaseApiKeyEntity, ids, { lastUsedAt: new Date() }),
      );
    } catch (error) {
      logger().error({ err: error }, 'the last use of API keys could not be stored');
    }
  }
}
