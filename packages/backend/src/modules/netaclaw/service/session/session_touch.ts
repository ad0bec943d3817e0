import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { logger } from '../../../base/log/logger.js';
import { NetaClawRunStoreService } from '../run/run_store.js';

const FLUSH_MS = 1_000;

/**
 * Moves sessions up in the list of the newest, many in one statement a second: it is an order, not a
 * fact, so it need not cost every turn a write.
 */
@Provide()
@Scope(ScopeEnum.Singleton)
export class NetaClawSessionTouchService {
  @Inject() store: NetaClawRunStoreService;
  private waiting = new Set<string>();
  private timer: NodeJS.Timeout | null = null;

  touch(sessionId: string): void {
    this.waiting.add(sessionId);
    this.timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref();
  }

  async flush(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    const ids = [...this.waiting];
    this.waiting = new Set();
    if (ids.length === 0) return;
    try {
      await this.store.touchSessions(ids, new Date());
    } catch (error) {
      logger().warn({ err: error }, 'the order of the sessions could not be stored');
    }
  }
}
