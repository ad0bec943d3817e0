import type { Ready } from '@netaclaw/contracts';
import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { Database } from '../../../base/data/database.js';
import { logger } from '../../../base/log/logger.js';
import { NetaClawLiveRunsService } from '../run/live_runs.js';
import { NetaClawToolRegistryService } from '../tool/tool_registry.js';

/** Whether this node can take work. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class NetaClawReadinessService {
  @Inject() database: Database;
  @Inject() registry: NetaClawToolRegistryService;
  @Inject() liveRuns: NetaClawLiveRunsService;

  async check(): Promise<Ready> {
    const checks = {
      database: await this.databaseState(),
      catalog: this.registry.synced ? 'ok' : 'the catalog has not been synced yet',
      server: this.liveRuns.isStopping ? 'shutting down' : 'ok',
    };
    const isReady = Object.values(checks).every((state) => state === 'ok');
    return { status: isReady ? 'ready' : 'not ready', checks };
  }

  private async databaseState(): Promise<string> {
    try {
      await this.database.manager.query('SELECT 1');
      return 'ok';
    } catch (error) {
      logger().error({ err: error }, 'the database does not answer');
      return 'the database does not answer';
    }
  }
}
