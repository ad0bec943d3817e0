import { messageSchema, type Message, type RunSource } from '@netaclaw/contracts';
import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { Database } from '../../base/data/database.js';
import { isUniqueViolation } from '../../base/data/errors.js';
import { DomainError, notFound } from '../../base/error.js';
import { NetaClawRunEntity } from '../entity/run.js';
import { NetaClawRunSnapshotEntity } from '../entity/run_snapshot.js';
import { NetaClawSessionEntity } from '../entity/session.js';
import type { RunOutcome } from '../runtime/agent_loop.js';
import { NetaClawNodeService } from './node_identity.js';

/** A run as it begins. */
export interface NewRun {
  id: string;
  sessionId: string;
  /** Set for the first run of a session. */
  newSession: { title: string } | null;
  parentRunId: string | null;
  owner: string;
  actor: string;
  requestId: string | null;
  agent: string;
  source: RunSource;
  model: string;
  snapshot: { hash: string; record: string };
  messages: readonly Message[];
  layers: unknown;
  startedAt: Date;
}

/** What came of a run. */
export interface FinishedRun {
  outcome: RunOutcome;
  messages: readonly Message[];
  events: readonly { json: string }[];
  endedAt: Date;
}

/** Writes and reads whole turns: one statement when one begins, one when it ends, one for the history. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class NetaClawRunStoreService {
  @Inject() database: Database;
  @Inject() node: NetaClawNodeService;
  private readonly knownSnapshots = new Set<string>();

  /**
   * Stores a run that begins. Returns the id of another run when this request was made before. Refuses
   * when the session has a run under way.
   */
  async begin(run: NewRun): Promise<{ joined: string | null }> {
    await this.keepSnapshot(run.snapshot);
    try {
      await this.insertRun(run);
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      return { joined: await this.whatIsInTheWay(run) };
    }
    if (run.newSession) await this.insertSession(run, run.newSession.title);
    return { joined: null };
  }

  /** Stores how far a long run has come, so that little is lost with its process. */
  async saveProgress(runId: string, messages: readonly Message[]): Promise<void> {
    await this.update(runId, { messages: JSON.stringify(messages), messageCount: messages.length });
  }

  async finish(runId: string, { outcome, messages, events, endedAt }: FinishedRun): Promise<void> {
    await this.update(runId, {
      activeSessionId: null,
      status: outcome.status,
      error: outcome.error,
      inputTokens: outcome.usage.inputTokens,
      outputTokens: outcome.usage.outputTokens,
      toolCallCount: outcome.toolCalls.length,
      messageCount: messages.length,
      messages: JSON.stringify(messages),
      events: `[${events.map(({ json }) => json).join(',')}]`,
      endedAt,
    });
  }

  /** Moves sessions up in the list of the newest. */
  async touchSessions(ids: readonly string[], at: Date): Promise<void> {
    await this.database.writeOne((manager) =>
      manager
        .createQueryBuilder()
        .update(NetaClawSessionEntity)
        .set({ updateTime: at })
        .whereInIds([...ids])
        .execute(),
    );
  }

  /** The newest turns of a session, oldest first. 404 for what is not there or somebody else's. */
  async history(sessionId: string, owner: string, maxTurns: number): Promise<Message[]> {
    const rows = await this.database
      .repository(NetaClawSessionEntity)
      .createQueryBuilder('session')
      .leftJoin(NetaClawRunEntity, 'run', 'run.sessionId = session.id')
      .select('session.owner', 'owner')
      .addSelect('run.messages', 'messages')
      .where('session.id = :sessionId', { sessionId })
      .orderBy('run.id', 'DESC')
      .limit(maxTurns)
      .getRawMany<{ owner: string; messages: string | null }>();
    if (rows[0]?.owner !== owner) throw notFound(`the session ${sessionId}`);
    return rows.toReversed().flatMap(({ messages }) => parseMessages(messages));
  }

  private async insertRun(run: NewRun): Promise<void> {
    const values = {
      id: run.id,
      sessionId: run.sessionId,
      activeSessionId: run.sessionId,
      parentRunId: run.parentRunId,
      owner: run.owner,
      actor: run.actor,
      requestId: run.requestId,
      agent: run.agent,
      source: run.source,
      status: 'running' as const,
      cancelRequested: 0,
      model: run.model,
      messageCount: run.messages.length,
      snapshotHash: run.snapshot.hash,
      nodeId: this.node.id,
      startedAt: run.startedAt,
      messages: JSON.stringify(run.messages),
      layers: JSON.stringify(run.layers),
    };
    await this.database.writeOne((manager) =>
      manager
        .createQueryBuilder()
        .insert()
        .into(NetaClawRunEntity)
        .values(values)
        .updateEntity(false)
        .execute(),
    );
  }

  private async insertSession(run: NewRun, title: string): Promise<void> {
    const { sessionId: id, owner, agent, startedAt } = run;
    await this.database.writeOne((manager) =>
      manager
        .createQueryBuilder()
        .insert()
        .into(NetaClawSessionEntity)
        .values({ id, owner, agent, title, createTime: startedAt, updateTime: startedAt })
        .updateEntity(false)
        .execute(),
    );
  }

  /** Most runs share their snapshot with the one before: it is written once and remembered. */
  private async keepSnapshot({ hash, record }: NewRun['snapshot']): Promise<void> {
    if (this.knownSnapshots.has(hash)) return;
    await this.database.writeOne((manager) =>
      manager
        .createQueryBuilder()
        .insert()
        .into(NetaClawRunSnapshotEntity)
        .values({ hash, content: record })
        .orIgnore()
        .updateEntity(false)
        .execute(),
    );
    this.knownSnapshots.add(hash);
  }

  private async whatIsInTheWay(run: NewRun): Promise<string> {
    const runs = this.database.repository(NetaClawRunEntity);
    const { requestId, owner, sessionId } = run;
    if (requestId !== null) {
      const same = await runs.findOne({ where: { owner, requestId }, select: { id: true } });
      if (same) return same.id;
    }
    const active = await runs.findOne({
      where: { activeSessionId: sessionId },
      select: { id: true },
    });
    throw new DomainError(
      'conflict',
      'this session has a run under way; wait for it or cancel it',
      {
        current: { runId: active?.id ?? null },
      },
    );
  }

  private async update(runId: string, set: Partial<NetaClawRunEntity>): Promise<void> {
    await this.database.writeOne((manager) =>
      manager
        .createQueryBuilder()
        .update(NetaClawRunEntity)
        .set(set)
        .where('id = :runId AND status = :status', { runId, status: 'running' })
        .execute(),
    );
  }
}

const messageListSchema = messageSchema.array();

/** Stored messages were written by this server; one that cannot be read costs its turn, not the session. */
export function parseMessages(text: string | null): Message[] {
  if (text === null) return [];
  try {
    const parsed = messageListSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : [];
  } catch {
    return [];
  }
}
