import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { In, IsNull, Not } from 'typeorm';
import { Database } from '../../../base/data/database.js';
import { logger } from '../../../base/log/logger.js';
import { NetaClawRunEntity } from '../../entity/run.js';
import { NetaClawSessionEntity } from '../../entity/session.js';
import { repairHistory } from '../../runtime/history.js';
import { NetaClawLiveRunsService } from './live_runs.js';
import { NetaClawNodeService } from '../server/node_identity.js';
import { parseMessages } from './run_store.js';
import { storedEventsOf } from './run_view.js';
import { titleOf } from '../session/session_title.js';

const LOST = 'The server stopped while this run was under way. What it had done by then is kept.';
const BATCH = 100;

/** Closes the runs of processes that are no more, and ends those that another node was asked to cancel. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class NetaClawRunRecoveryService {
  @Inject() database: Database;
  @Inject() node: NetaClawNodeService;
  @Inject() liveRuns: NetaClawLiveRunsService;

  /** One look: at start, and with every sign of life. */
  async look(): Promise<void> {
    await this.closeAbandoned();
    await this.cancelRequested();
  }

  private async closeAbandoned(): Promise<void> {
    const alive = await this.node.alive();
    const rows = await this.database.repository(NetaClawRunEntity).find({
      where: { activeSessionId: Not(IsNull()), nodeId: Not(In(alive)) },
      take: BATCH,
    });
    for (const row of rows) await this.close(row);
    if (rows.length > 0)
      logger().warn({ runs: rows.length }, 'closed runs of a process that is gone');
  }

  /** Fills in what is missing, so that the next turn of the session works. */
  private async close(row: NetaClawRunEntity): Promise<void> {
    const messages = repairHistory(parseMessages(row.messages));
    await this.database.write(async (manager) => {
      const { affected } = await manager.update(
        NetaClawRunEntity,
        { id: row.id, status: 'running' },
        {
          activeSessionId: null,
          status: 'failed',
          error: LOST,
          messages: JSON.stringify(messages),
          messageCount: messages.length,
          events: endEvents(row, LOST),
          endedAt: new Date(),
        },
      );
      if (affected === 1) await this.ensureSession(row);
    });
  }

  /** The process may have ended between the run's row and its session's. */
  private async ensureSession(row: NetaClawRunEntity): Promise<void> {
    const { sessionId: id, owner, agent, crew, parentRunId, startedAt } = row;
    const sessions = this.database.repository(NetaClawSessionEntity);
    if (await sessions.existsBy({ id })) return;
    const [first] = parseMessages(row.messages);
    const title = titleOf(first?.role === 'user' ? first.content : '');
    await sessions.insert({
      id,
      owner,
      agent,
      title,
      crew,
      parentRunId,
      createTime: startedAt,
      updateTime: startedAt,
    });
  }

  private async cancelRequested(): Promise<void> {
    if (this.database.isSqlite || this.liveRuns.size === 0) return;
    const rows = await this.database.repository(NetaClawRunEntity).find({
      where: { id: In(this.liveRuns.ids()), cancelRequested: 1 },
      select: { id: true },
    });
    for (const { id } of rows) this.liveRuns.get(id)?.cancel('cancelled on another node');
  }
}

/** What was stored of its events, and the end that it did not come to itself. */
function endEvents(row: NetaClawRunEntity, error: string): string {
  const events = storedEventsOf(row);
  const seq = (events.at(-1)?.seq ?? 0) + 1;
  const at = new Date().toISOString();
  return JSON.stringify([...events, { seq, at, type: 'run-end', status: 'failed', error }]);
}
