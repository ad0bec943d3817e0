import type { Page, Run, RunDetail, RunListItem, RunPageBody } from '@netaclaw/contracts';
import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { Audit } from '../../../base/audit/audit.js';
import { ownerOf, type Actor } from '../../../base/auth/actor.js';
import { Database } from '../../../base/data/database.js';
import { pageQuery } from '../../../base/data/page_query.js';
import { notFound } from '../../../base/error.js';
import { NetaClawRunEntity } from '../../entity/run.js';
import { NetaClawRunSnapshotEntity } from '../../entity/run_snapshot.js';
import { NetaClawLiveRunsService } from './live_runs.js';
import { parseSnapshot, runDetailOf, runListItemOf, runOf, type Snapshot } from './run_view.js';

const WAIT_STEP_MS = 250;
/** What a list shows of a run; the large columns are none of it. */
const LISTED: (keyof NetaClawRunEntity & string)[] = [
  'sessionId',
  'parentRunId',
  'agent',
  'crew',
  'actor',
  'source',
  'status',
  'error',
  'model',
  'inputTokens',
  'outputTokens',
  'toolCallCount',
  'startedAt',
  'endedAt',
];

/** Looking at runs, and stopping them. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class NetaClawRunService {
  @Inject() database: Database;
  @Inject() liveRuns: NetaClawLiveRunsService;
  @Inject() audit: Audit;

  /** A run of the caller's. 404 for somebody else's. */
  async own(id: string, actor: Actor): Promise<Run> {
    const row = await this.findOwn(id, actor);
    return runOf(row, await this.snapshotOf(row));
  }

  async findOwn(id: string, actor: Actor): Promise<NetaClawRunEntity> {
    const row = await this.database
      .repository(NetaClawRunEntity)
      .findOneBy({ id, owner: ownerOf(actor) });
    if (!row) throw notFound(`the run ${id}`);
    return row;
  }

  /** Everyone's. */
  async page(body: RunPageBody): Promise<Page<RunListItem>> {
    const { status, agent, owner, source, sessionId, crew, roots, from, to } = body;
    const parentRunId = roots === 1 ? null : body.parentRunId;
    const page = await pageQuery(this.database.repository(NetaClawRunEntity), {
      request: body,
      keyWordColumns: ['agent', 'actor', 'model'],
      equal: { status, agent, actor: owner, source, sessionId, crew, parentRunId },
      ranges: { startedAt: { from, to } },
      columns: LISTED,
    });
    return { ...page, list: page.list.map(runListItemOf) };
  }

  async detail(id: string): Promise<RunDetail> {
    const row = await this.find(id);
    const children = this.database.repository(NetaClawRunEntity).find({
      select: ['id', ...LISTED],
      where: { parentRunId: id },
      order: { id: 'ASC' },
    });
    return runDetailOf(row, await this.snapshotOf(row), await children);
  }

  /**
   * Stops a run, wherever it is, and answers when it has stopped. One that has ended is answered as it
   * is. `own` holds the caller to runs of his own.
   */
  async cancel(id: string, actor: Actor, { own }: { own: boolean }): Promise<Run> {
    const row = own ? await this.findOwn(id, actor) : await this.find(id);
    if (row.status === 'running') await this.stop(id, actor);
    const after = await this.find(id);
    return runOf(after, await this.snapshotOf(after));
  }

  /** Resolves when a run has ended, on whatever node; polls only for those of other nodes. */
  async untilEnded(id: string, signal: AbortSignal): Promise<NetaClawRunEntity> {
    await this.liveRuns.get(id)?.ended;
    for (;;) {
      const row = await this.find(id);
      if (row.status !== 'running') return row;
      signal.throwIfAborted();
      await new Promise((resolve) => setTimeout(resolve, WAIT_STEP_MS));
    }
  }

  async snapshotOf(row: Pick<NetaClawRunEntity, 'snapshotHash'>): Promise<Snapshot> {
    const snapshot = await this.database
      .repository(NetaClawRunSnapshotEntity)
      .findOneBy({ hash: row.snapshotHash });
    return parseSnapshot(snapshot?.content);
  }

  /** A run as it is stored now, whoever's it is. */
  async stateOf(
    id: string,
  ): Promise<Pick<NetaClawRunEntity, 'id' | 'sessionId' | 'status' | 'events'>> {
    const select = { id: true, sessionId: true, status: true, events: true } as const;
    const row = await this.database
      .repository(NetaClawRunEntity)
      .findOne({ where: { id }, select });
    if (!row) throw notFound(`the run ${id}`);
    return row;
  }

  private async find(id: string): Promise<NetaClawRunEntity> {
    const row = await this.database.repository(NetaClawRunEntity).findOneBy({ id });
    if (!row) throw notFound(`the run ${id}`);
    return row;
  }

  private async stop(id: string, actor: Actor): Promise<void> {
    await this.database.write(async (manager) => {
      await manager.update(NetaClawRunEntity, { id }, { cancelRequested: 1 });
      await this.audit.record(manager, { actor, action: 'run.cancel', target: `run:${id}` });
    });
    const live = this.liveRuns.get(id);
    live?.cancel('cancelled by the caller');
    await live?.ended;
  }
}
