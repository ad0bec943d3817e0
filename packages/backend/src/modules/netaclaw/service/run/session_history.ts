import { runStatusSchema, type Message } from '@netaclaw/contracts';
import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { Database } from '../../../base/data/database.js';
import { notFound } from '../../../base/error.js';
import { repairHistory } from '../../runtime/history.js';
import type { StoredTurn } from '../../runtime/summary.js';
import { parseMessages } from './run_store.js';
import { READ_HISTORY, READ_UNSUMMARIZED } from './run_statements.js';

/** Characters of messages that are kept in memory, over all sessions. */
const KEPT_CHARACTERS = 32 * 1024 * 1024;

export interface HistoryWanted {
  owner: string;
  maxTurns: number;
  /** Only turns that the session's summary does not hold yet, and the summary. */
  isSummarized: boolean;
}

export interface History {
  summary: string | null;
  /** JSON of the memory that the session began with. */
  memory: string | null;
  /** Oldest first, repaired. */
  turns: StoredTurn[];
}

const rowSchema = z.object({
  owner: z.string(),
  summary: z.string().nullish(),
  memory: z.string().nullable(),
  /** Null in the one row of a session without turns. */
  runId: z.string().nullable(),
  status: runStatusSchema.nullable(),
  messages: z.string().nullable(),
  total: z.coerce.number(),
});
type Row = z.infer<typeof rowSchema>;

/** The ended turns of a session as they were last read. They do not change any more. */
interface Kept {
  turns: readonly StoredTurn[];
  /** How many runs the session had up to the last one here. */
  total: number;
  lastRunId: string;
  characters: number;
}

/**
 * The conversation before a turn, in one statement. Turns that have ended are kept in memory, so that
 * only newer ones are read and parsed, and what is made from a message (its wire form, its tokens) is
 * made once for as long as its session is in use.
 */
@Provide()
@Scope(ScopeEnum.Singleton)
export class NetaClawSessionHistoryService {
  @Inject() database: Database;
  private readonly kept = new LRUCache<string, Kept>({
    maxSize: KEPT_CHARACTERS,
    sizeCalculation: ({ characters }) => characters + 1,
  });

  /** The newest turns of a session. 404 for what is not there or somebody else's. */
  async read(sessionId: string, wanted: HistoryWanted): Promise<History> {
    return wanted.isSummarized
      ? this.readUnsummarized(sessionId, wanted)
      : { summary: null, ...(await this.readTurns(sessionId, wanted)) };
  }

  private async readUnsummarized(sessionId: string, wanted: HistoryWanted): Promise<History> {
    const rows = await this.query(READ_UNSUMMARIZED, [sessionId, wanted.maxTurns]);
    const [newest] = rows;
    if (newest?.owner !== wanted.owner) throw notFound(`the session ${sessionId}`);
    const { summary = null, memory } = newest;
    return { summary, memory, turns: rows.toReversed().flatMap(toTurn) };
  }

  private async readTurns(
    sessionId: string,
    wanted: HistoryWanted,
  ): Promise<Omit<History, 'summary'>> {
    const { owner, maxTurns } = wanted;
    const key = `${sessionId}:${maxTurns}`;
    const known = this.kept.get(key);
    const rows = await this.query(READ_HISTORY, [known?.lastRunId ?? '', sessionId, maxTurns]);
    const [newest] = rows;
    if (newest?.owner !== owner) throw notFound(`the session ${sessionId}`);
    const newer = rows.filter(({ runId }) => runId !== null).toReversed();
    if (known && known.total + newer.length !== newest.total) {
      // A run of a node whose clock is behind stands among those that were read before.
      this.kept.delete(key);
      return this.readTurns(sessionId, wanted);
    }
    const turns = newer.map((row) => ({ row, turn: toTurn(row) }));
    const running = turns.findIndex(({ row }) => row.status === 'running');
    const ended = running < 0 ? turns : turns.slice(0, running);
    const before = known?.turns ?? [];
    const last = ended.at(-1)?.row.runId;
    if (last) {
      this.kept.set(key, {
        turns: [...before, ...ended.flatMap(({ turn }) => turn)].slice(-maxTurns),
        total: newest.total - (turns.length - ended.length),
        lastRunId: last,
        characters: (known?.characters ?? 0) + charactersOf(ended.map(({ row }) => row)),
      });
    }
    const all = [...before, ...turns.flatMap(({ turn }) => turn)].slice(-maxTurns);
    return { memory: newest.memory, turns: all };
  }

  private async query(statement: string, values: unknown[]): Promise<Row[]> {
    const rows: unknown[] = await this.database.manager.query(statement, values);
    return rows.map((row) => rowSchema.parse(row));
  }
}

function toTurn({ runId, messages }: Row): StoredTurn[] {
  const parsed: Message[] = parseMessages(messages);
  return runId === null || parsed.length === 0 ? [] : [{ runId, messages: repairHistory(parsed) }];
}

const charactersOf = (rows: readonly Row[]): number =>
  rows.reduce((sum, { messages }) => sum + (messages?.length ?? 0), 0);
