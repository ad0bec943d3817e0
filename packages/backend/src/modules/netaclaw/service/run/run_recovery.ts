import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import type {
  AssistantMessage,
  EndStatus,
  RunEventBody,
  ToolCall,
  Usage,
} from '@netaclaw/contracts';
import { endStatusSchema } from '@netaclaw/contracts';
import { In, IsNull, LessThan, Not } from 'typeorm';
import { Audit } from '../../../base/audit/audit.js';
import { Database } from '../../../base/data/database.js';
import { logger } from '../../../base/log/logger.js';
import { NetaClawRunEntity } from '../../entity/run.js';
import { NetaClawSessionEntity } from '../../entity/session.js';
import { lostWithProcess, repairHistory } from '../../runtime/history.js';
import { addUsage, NO_USAGE } from '../../runtime/usage.js';
import { toolCallEntries } from './call_audit.js';
import { NetaClawLiveRunsService } from './live_runs.js';
import { NetaClawNodeService } from '../server/node_identity.js';
import { parseMessages } from './run_store.js';
import { storedEventsOf, toolCallsOf, type StoredEvent } from './run_view.js';
import { titleOf } from '../session/session_title.js';

const LOST = 'The server stopped while this run was under way. What it had done by then is kept.';
const BATCH = 100;
/** A run may be stored a moment before this process counts it among its live ones. */
const BEGINNING_MS = 10_000;
/** Runs of this place from before are those of an earlier life. */
const PROCESS_START = Date.now() - performance.now();

/** Closes runs that nobody works on any more, and ends those that another node was asked to cancel. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class NetaClawRunRecoveryService {
  @Inject() database: Database;
  @Inject() node: NetaClawNodeService;
  @Inject() liveRuns: NetaClawLiveRunsService;
  @Inject() audit: Audit;

  /** One look: at start, and with every sign of life. */
  async look(): Promise<void> {
    await this.closeAbandoned();
    await this.cancelRequested();
  }

  /** Each by itself: one that cannot be closed must hold up neither the others nor a start. */
  private async closeAbandoned(): Promise<void> {
    const rows = await this.abandoned();
    for (const row of rows) {
      try {
        await this.close(row);
      } catch (error) {
        logger().error({ err: error, runId: row.id }, 'an abandoned run could not be closed');
      }
    }
    if (rows.length > 0) logger().warn({ runs: rows.length }, 'closed runs that nobody works on');
  }

  /** Runs of processes that are gone, and those of this one that could not be stored at their end. */
  private async abandoned(): Promise<NetaClawRunEntity[]> {
    const alive = await this.node.alive();
    const isActive = { activeSessionId: Not(IsNull()) };
    const before = LessThan(new Date(Math.max(PROCESS_START, Date.now() - BEGINNING_MS)));
    const rows = await this.database.repository(NetaClawRunEntity).find({
      where: [
        { ...isActive, nodeId: Not(In(alive)) },
        { ...isActive, nodeId: this.node.id, startedAt: before },
      ],
      take: BATCH + this.liveRuns.size,
    });
    return rows.filter(({ id }) => !this.liveRuns.get(id));
  }

  /** Fills in what is missing, so that the next turn of the session works, and records the calls. */
  private async close(row: NetaClawRunEntity): Promise<void> {
    const events = storedEventsOf(row);
    const messages = [
      ...repairHistory(parseMessages(row.messages), lostWithProcess),
      ...unfinishedWords(events),
    ];
    const usage = usageOf(events);
    const calls = toolCallsOf(events, messages);
    const ended = endedEvents(events, { error: LOST, memberEnds: await this.memberEnds(events) });
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
          toolCallCount: calls.length,
          inputTokens: usage.inputTokens,
          outputTokens: usage.outputTokens,
          events: JSON.stringify(ended),
          endedAt: new Date(),
        },
      );
      if (affected !== 1) return;
      const entries = toolCallEntries(row.actor, { runId: row.id, agent: row.agent }, calls);
      await this.audit.record(manager, ...entries);
      await this.ensureSession(row);
    });
  }

  /** How the members' runs ended that the log shows at work. Those that went with it are closed as failed. */
  private async memberEnds(events: readonly StoredEvent[]): Promise<Map<string, EndStatus>> {
    const ids = openDelegations(events);
    if (ids.length === 0) return new Map();
    const rows = await this.database
      .repository(NetaClawRunEntity)
      .find({ where: { id: In(ids), status: Not('running') }, select: { id: true, status: true } });
    return new Map(rows.map(({ id, status }) => [id, endStatusSchema.parse(status)]));
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

/** What the model had said when it was cut off: the text behind the last model call that came to its end. */
export function unfinishedWords(events: readonly StoredEvent[]): AssistantMessage[] {
  const last = events.findLastIndex(({ type }) => type === 'usage');
  const words = events
    .slice(last + 1)
    .map((event) => (event.type === 'text-delta' ? event.text : ''));
  const content = words.join('');
  return content === '' ? [] : [{ role: 'assistant', content }];
}

const usageOf = (events: readonly StoredEvent[]): Usage =>
  events.reduce((sum, event) => (event.type === 'usage' ? addUsage(sum, event) : sum), NO_USAGE);

/** What a run's log does not tell, since the run went with its process. */
interface LostEnd {
  error: string;
  /** How the members' runs ended, by id; one that is not there went with the process too. */
  memberEnds: ReadonlyMap<string, EndStatus>;
}

/**
 * What was stored of a run's events, an end for each member at work, a result for each open call, and
 * the end it did not come to itself.
 */
export function endedEvents(
  events: readonly StoredEvent[],
  { error, memberEnds }: LostEnd,
): StoredEvent[] {
  const answered = new Set(
    events.flatMap((event) => (event.type === 'tool-result' ? event.id : [])),
  );
  const at = new Date().toISOString();
  const missing = events.flatMap((event): RunEventBody[] =>
    event.type === 'tool-call' && !answered.has(event.id) ? [lostResultEvent(event)] : [],
  );
  const ends = openDelegations(events).map((childRunId): RunEventBody => ({
    type: 'delegate-end',
    childRunId,
    status: memberEnds.get(childRunId) ?? 'failed',
  }));
  const last = events.at(-1)?.seq ?? 0;
  const words = unfinishedWords(events).map(({ content }): RunEventBody => ({
    type: 'message',
    text: content,
  }));
  const added: RunEventBody[] = [
    ...ends,
    ...missing,
    ...words,
    { type: 'run-end', status: 'failed', error },
  ];
  return [...events, ...added.map((event, index) => ({ ...event, at, seq: last + 1 + index }))];
}

/** The members' runs that began and did not end as far as the log goes. */
function openDelegations(events: readonly StoredEvent[]): string[] {
  const ended = new Set(
    events.flatMap((event) => (event.type === 'delegate-end' ? event.childRunId : [])),
  );
  return events.flatMap((event) =>
    event.type === 'delegate-start' && !ended.has(event.childRunId) ? event.childRunId : [],
  );
}

function lostResultEvent({ id, name, arguments: given }: ToolCall): RunEventBody {
  const { status, content } = lostWithProcess({ id, name, arguments: given });
  return { type: 'tool-result', id, name, status, durationMs: 0, preview: content };
}
