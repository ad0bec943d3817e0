import { messageSchema, type Message, type RunSource } from '@netaclaw/contracts';
import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { Database } from '../../../base/data/database.js';
import { isUniqueViolation } from '../../../base/data/errors.js';
import { sqlTime } from '../../../base/data/raw.js';
import { DomainError } from '../../../base/error.js';
import { NetaClawRunEntity } from '../../entity/run.js';
import { NetaClawRunRequestEntity } from '../../entity/run_request.js';
import { NetaClawRunSnapshotEntity } from '../../entity/run_snapshot.js';
import { NetaClawSessionEntity } from '../../entity/session.js';
import type { RunOutcome } from '../../runtime/agent_loop.js';
import { NetaClawNodeService } from '../server/node_identity.js';
import {
  FINISH_RUN,
  INSERT_REQUEST,
  INSERT_RUN,
  INSERT_SESSION,
  SAVE_PROGRESS,
  SAVE_SUMMARY,
} from './run_statements.js';

/** What a session begins with. */
export interface NewSession {
  title: string;
  /** JSON of its frozen memory; null: none. */
  memory: string | null;
}

/** A run as it begins. */
export interface NewRun {
  id: string;
  sessionId: string;
  /** Set for the first run of a session. */
  newSession: NewSession | null;
  parentRunId: string | null;
  crew: string | null;
  owner: string;
  actor: string;
  /** The caller's id for the request, with a digest of what it asks. */
  request: { id: string; digest: string } | null;
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

/** Writes whole turns: one statement when one begins, one when it ends. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class NetaClawRunStoreService {
  @Inject() database: Database;
  @Inject() node: NetaClawNodeService;
  private readonly knownSnapshots = new Set<string>();

  /**
   * Stores a run that begins. Returns the id of another run when this request was made before. Refuses
   * an id that another request had, and a session that has a run under way.
   */
  async begin(run: NewRun): Promise<{ joined: string | null }> {
    await this.keepSnapshot(run.snapshot);
    try {
      if (run.request === null) await Promise.all([this.insertRun(run), this.insertSession(run)]);
      else await this.insertWithRequest(run, run.request);
      return { joined: null };
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      return { joined: await this.whatIsInTheWay(run) };
    }
  }

  /** Stores how far a long run has come, so that little is lost with its process. */
  async saveProgress(
    runId: string,
    { messages, events }: Pick<FinishedRun, 'messages' | 'events'>,
  ): Promise<void> {
    const values = [JSON.stringify(messages), messages.length, eventsJson(events), runId];
    await this.write(SAVE_PROGRESS, values);
  }

  async finish(runId: string, { outcome, messages, events, endedAt }: FinishedRun): Promise<void> {
    const { status, error, usage, toolCalls } = outcome;
    await this.write(FINISH_RUN, [
      status,
      error,
      usage.inputTokens,
      usage.outputTokens,
      toolCalls.length,
      messages.length,
      JSON.stringify(messages),
      eventsJson(events),
      sqlTime(endedAt),
      runId,
    ]);
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

  /** Notes on the session's turns up to this run, which are not shown to a model any more. */
  async saveSummary(sessionId: string, summary: string, upToRunId: string): Promise<void> {
    await this.write(SAVE_SUMMARY, [summary, upToRunId, sessionId]);
  }

  private insertRun(run: NewRun): Promise<void> {
    return this.write(INSERT_RUN, runValues(run, this.node.id));
  }

  private async insertSession(run: NewRun): Promise<void> {
    if (run.newSession) await this.write(INSERT_SESSION, sessionValues(run, run.newSession));
  }

  /** The request's id, the run and the session together, so that whoever joins finds a run. */
  private async insertWithRequest(
    run: NewRun,
    { id, digest }: NonNullable<NewRun['request']>,
  ): Promise<void> {
    const requestKey = requestKeyOf(run.owner, id);
    await this.database.write(async (manager) => {
      await manager.query(INSERT_REQUEST, [requestKey, run.id, digest]);
      await manager.query(INSERT_RUN, runValues(run, this.node.id));
      if (run.newSession) await manager.query(INSERT_SESSION, sessionValues(run, run.newSession));
    });
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

  /** The run that this request began before; else the session is busy, which is refused. */
  private async whatIsInTheWay({ owner, request, sessionId }: NewRun): Promise<string> {
    if (request !== null) {
      const requests = this.database.repository(NetaClawRunRequestEntity);
      const made = await requests.findOneBy({ requestKey: requestKeyOf(owner, request.id) });
      if (made) return sameRequest(made, request.digest);
    }
    const active = await this.database
      .repository(NetaClawRunEntity)
      .findOne({ where: { activeSessionId: sessionId }, select: { id: true } });
    const sentence = 'this session has a run under way; wait for it or cancel it';
    throw new DomainError('conflict', sentence, { current: { runId: active?.id ?? null } });
  }

  /** On the path of every turn: plain statements, which both databases take as they are. */
  private async write(sql: string, values: unknown[]): Promise<void> {
    await this.database.writeOne((manager) => manager.query(sql, values));
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

/** The run of a request that was made before. Throws `DomainError` when that one asked for something else. */
function sameRequest({ runId, digest }: NetaClawRunRequestEntity, asked: string): string {
  if (digest === null || digest === asked) return runId;
  const sentence =
    'this request id was used before for another request (another agent, crew, session or message); ' +
    'give a new request an id of its own';
  throw new DomainError('conflict', sentence, { current: { runId } });
}

const requestKeyOf = (owner: string, requestId: string): string => `${owner}:${requestId}`;

const runValues = (run: NewRun, nodeId: string): unknown[] => [
  run.id,
  run.sessionId,
  run.sessionId,
  run.parentRunId,
  run.crew,
  run.owner,
  run.actor,
  run.agent,
  run.source,
  run.model,
  run.messages.length,
  run.snapshot.hash,
  nodeId,
  sqlTime(run.startedAt),
  JSON.stringify(run.messages),
  JSON.stringify(run.layers),
];

function sessionValues(run: NewRun, { title, memory }: NewSession): unknown[] {
  const { sessionId, owner, agent, crew, parentRunId, startedAt } = run;
  const at = sqlTime(startedAt);
  return [sessionId, owner, agent, title, crew, parentRunId, memory, at, at];
}

const eventsJson = (events: FinishedRun['events']): string =>
  `[${events.map(({ json }) => json).join(',')}]`;
