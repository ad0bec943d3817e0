import type {
  Message,
  Page,
  PageQuery,
  Session,
  SessionListItem,
  SessionMessage,
  SessionMessages,
  SessionPageBody,
} from '@netaclaw/contracts';
import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { In, MoreThan, type EntityManager } from 'typeorm';
import { Audit } from '../../../base/audit/audit.js';
import { ownerOf, type Actor } from '../../../base/auth/actor.js';
import { Database } from '../../../base/data/database.js';
import { pageQuery } from '../../../base/data/page_query.js';
import { DomainError, notFound } from '../../../base/error.js';
import { NetaClawRunEntity } from '../../entity/run.js';
import { NetaClawSessionEntity } from '../../entity/session.js';
import { NetaClawFileStoreService } from '../file/file_store.js';
import { DELETE_REQUESTS_OF } from '../run/run_statements.js';
import { NetaClawRunStoreService, parseMessages } from '../run/run_store.js';
import { NetaClawSandboxPoolService } from '../computer/sandbox_pool.js';
import { withMemberSessions } from './member_sessions.js';
import { fileIdsOf, sessionTurnOf } from './session_turn.js';
import { NetaClawSessionTouchService } from './session_touch.js';

/** Conversations: their list, their messages, their end. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class NetaClawSessionService {
  @Inject() database: Database;
  @Inject() store: NetaClawRunStoreService;
  @Inject() touches: NetaClawSessionTouchService;
  @Inject() computers: NetaClawSandboxPoolService;
  @Inject() audit: Audit;
  @Inject() files: NetaClawFileStoreService;

  /** The caller's own, newest first, without those of members that worked in them. */
  async pageOwn(actor: Actor, query: PageQuery): Promise<Page<Session>> {
    await this.touches.flush();
    const page = await pageQuery(this.database.repository(NetaClawSessionEntity), {
      request: query,
      order: { column: 'updateTime', sort: 'desc' },
      equal: { owner: ownerOf(actor), parentRunId: null },
    });
    return { ...page, list: page.list.map(sessionOf) };
  }

  /** Everyone's, without those of members. */
  async page(body: SessionPageBody): Promise<Page<SessionListItem>> {
    await this.touches.flush();
    const page = await pageQuery(this.database.repository(NetaClawSessionEntity), {
      request: body,
      order: { column: 'updateTime', sort: 'desc' },
      keyWordColumns: ['title'],
      equal: { agent: body.agent, owner: body.owner, parentRunId: null },
    });
    return { ...page, list: page.list.map((row) => ({ ...sessionOf(row), owner: row.owner })) };
  }

  /** Messages, oldest first. `owner` null: whoever's it is. */
  async messages(
    sessionId: string,
    owner: string | null,
    { page, size }: PageQuery,
  ): Promise<SessionMessages> {
    const session = await this.find(sessionId, owner);
    const turns = await this.database
      .repository(NetaClawRunEntity)
      .createQueryBuilder('run')
      .select('run.id', 'id')
      .addSelect('run.messageCount', 'count')
      .where('run.sessionId = :sessionId', { sessionId })
      .orderBy('run.id')
      .getRawMany<{ id: string; count: number }>();
    const total = turns.reduce((sum, { count }) => sum + Number(count), 0);
    const { ids, skip } = turnsOfPage(turns, (page - 1) * size, size);
    const rows = await this.turnRows(ids);
    const list = rows.flatMap(messagesOf).slice(skip, skip + size);
    return {
      list,
      pagination: { page, size, total },
      turns: rows.map(sessionTurnOf),
      fileNames: await this.files.namesOf(fileIdsOf(list), session.owner),
    };
  }

  /**
   * Deletes sessions with their turns and workspaces, and those of members that worked in them. Answers
   * how many were asked for. Refuses while a run is under way.
   */
  async delete(ids: readonly string[], owner: string | null, actor: Actor): Promise<number> {
    for (const id of ids) await this.find(id, owner);
    const all = await this.database.write(async (manager) => {
      const all = await withMemberSessions(manager, ids);
      await refuseRunning(manager, all);
      await manager.query(DELETE_REQUESTS_OF(all.length), all);
      await manager.delete(NetaClawRunEntity, { sessionId: In(all) });
      await manager.delete(NetaClawSessionEntity, { id: In(all) });
      const entries = ids.map((id) => ({
        actor,
        action: 'session.delete' as const,
        target: `session:${id}`,
      }));
      await this.audit.record(manager, ...entries);
      return all;
    });
    await Promise.all(all.map((id) => this.computers.erase(id)));
    return ids.length;
  }

  private async find(id: string, owner: string | null): Promise<NetaClawSessionEntity> {
    const row = await this.database.repository(NetaClawSessionEntity).findOneBy({ id });
    if (!row || (owner !== null && row.owner !== owner)) throw notFound(`the session ${id}`);
    return row;
  }

  private turnRows(runIds: readonly string[]): Promise<NetaClawRunEntity[]> {
    return this.database.repository(NetaClawRunEntity).find({
      where: { id: In([...runIds]), messageCount: MoreThan(0) },
      select: {
        id: true,
        startedAt: true,
        messages: true,
        status: true,
        error: true,
        model: true,
        events: true,
      },
      order: { id: 'ASC' },
    });
  }
}

const messagesOf = ({ id, startedAt, messages }: NetaClawRunEntity): SessionMessage[] =>
  parseMessages(messages).map((message) => ({
    runId: id,
    at: startedAt.toISOString(),
    message: asShown(message),
  }));

/** Sealed reasoning is of use to its provider alone. */
function asShown(message: Message): Message {
  if (message.role !== 'assistant' || message.sealedReasoning === undefined) return message;
  const { sealedReasoning: _sealed, ...shown } = message;
  return shown;
}

async function refuseRunning(manager: EntityManager, ids: readonly string[]): Promise<void> {
  const where = { activeSessionId: In([...ids]) };
  const running = await manager.findOne(NetaClawRunEntity, { where, select: { id: true } });
  if (!running) return;
  throw new DomainError('conflict', 'a run of this session is under way; cancel it first', {
    current: { runId: running.id },
  });
}

/** The turns that hold messages `from` to `from + size`, and how many messages of the first to leave out. */
export function turnsOfPage(
  turns: readonly { id: string; count: number }[],
  from: number,
  size: number,
): { ids: string[]; skip: number } {
  const ids: string[] = [];
  let at = 0;
  let skip = 0;
  for (const { id, count } of turns) {
    const end = at + Number(count);
    if (end > from && at < from + size) {
      if (ids.length === 0) skip = Math.max(0, from - at);
      ids.push(id);
    }
    at = end;
  }
  return { ids, skip };
}

const sessionOf = (row: NetaClawSessionEntity): Session => ({
  sessionId: row.id,
  agent: row.agent,
  crew: row.crew,
  title: row.title,
  createTime: row.createTime.toISOString(),
  updateTime: row.updateTime.toISOString(),
});
