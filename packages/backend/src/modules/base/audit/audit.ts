import type {
  AuditAction,
  AuditExportBody,
  AuditPageBody,
  AuditRow,
  Page,
} from '@netaclaw/contracts';
import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import type { EntityManager } from 'typeorm';
import { actorLabel, type Actor } from '../auth/actor.js';
import { Database } from '../data/database.js';
import { filteredRows, pageQuery, type RowFilter } from '../data/page_query.js';
import { sqlTime } from '../data/raw.js';
import { BaseAuditEntity } from '../entity/audit.js';
import { auditValue } from './audit_value.js';

/** Rows of one INSERT: both databases limit the values of a statement. */
const INSERT_CHUNK = 400;
const MAX_TARGET = 200;
const EXPORT_CHUNK = 500;

/** Something that happened. `before` and `after` may hold secrets: they are left out by their names. */
export interface AuditEntry {
  /** Null: the server itself. A text: the label of an actor that is not at hand any more. */
  actor: Actor | string | null;
  action: AuditAction;
  /** Kind and name, for example `tool:bash`. */
  target: string;
  before?: unknown;
  after?: unknown;
}

/** From the one on, until before the other. */
interface TallyWindow {
  from: Date;
  to: Date;
}

/** How often something met a target. */
export interface Tally {
  target: string;
  count: number;
}

const TALLY =
  'SELECT target, COUNT(*) AS count FROM base_audit WHERE at >= ? AND at < ? AND action = ? ' +
  'GROUP BY target ORDER BY count DESC, target ASC LIMIT ?';

/** Who changed what, and which tools were called. Rows are only ever added. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class Audit {
  @Inject() database: Database;
  private waiting: NewRow[] = [];

  /** Records a change within the transaction that makes it: both are stored, or neither. */
  async record(manager: EntityManager, ...entries: AuditEntry[]): Promise<void> {
    const rows = entries.map((entry) => rowOf(entry, new Date()));
    for (let from = 0; from < rows.length; from += INSERT_CHUNK) {
      await insert(manager, rows.slice(from, from + INSERT_CHUNK));
    }
  }

  /**
   * Records what changes nothing else: calls of tools. What many runs record in one turn of the event
   * loop is stored by one statement.
   */
  async recordMany(entries: readonly AuditEntry[]): Promise<void> {
    if (entries.length === 0) return;
    const now = new Date();
    for (const entry of entries) this.waiting.push(rowOf(entry, now));
    await this.database.writeOne((manager) => this.storeWaiting(manager));
  }

  private async storeWaiting(manager: EntityManager): Promise<void> {
    const rows = this.waiting;
    this.waiting = [];
    for (let from = 0; from < rows.length; from += INSERT_CHUNK) {
      const part = rows.slice(from, from + INSERT_CHUNK);
      await manager.query(insertStatement(part.length), part.flatMap(valuesOf));
    }
  }

  /** The newest first, unless asked otherwise. */
  async page(body: AuditPageBody): Promise<Page<AuditRow>> {
    const page = await pageQuery(this.database.repository(BaseAuditEntity), {
      ...filterOf(body),
      request: body,
      keyWordColumns: ['actor', 'target'],
    });
    return { ...page, list: page.list.map(toAuditRow) };
  }

  /** How often an action met each target in a window of time; the most frequent first. */
  async tally(action: AuditAction, { from, to }: TallyWindow, most: number): Promise<Tally[]> {
    const values = [sqlTime(from), sqlTime(to), action, most];
    const rows: Tally[] = await this.database.manager.query(TALLY, values);
    return rows.map(({ target, count }) => ({ target, count: Number(count) }));
  }

  /** Every row that the filters leave, newest first, read bit by bit. */
  async *all(filters: AuditExportBody): AsyncGenerator<AuditRow[]> {
    let below: number | null = null;
    for (;;) {
      const rows: BaseAuditEntity[] = await this.chunk(filters, below);
      if (rows.length > 0) yield rows.map(toAuditRow);
      below = rows.at(-1)?.id ?? null;
      if (rows.length < EXPORT_CHUNK || below === null) return;
    }
  }

  private chunk(filters: AuditExportBody, below: number | null): Promise<BaseAuditEntity[]> {
    const query = filteredRows(this.database.repository(BaseAuditEntity), filterOf(filters));
    if (below !== null) query.andWhere('row.id < :below', { below });
    return query.orderBy('row.id', 'DESC').limit(EXPORT_CHUNK).getMany();
  }
}

const filterOf = ({
  actor,
  action,
  target,
  from,
  to,
}: AuditExportBody): RowFilter<BaseAuditEntity> => ({
  equal: { actor, action, target },
  ranges: { at: { from, to } },
});

type NewRow = Omit<BaseAuditEntity, 'id' | 'before' | 'after'> & {
  before?: object;
  after?: object;
};

function labelOf(actor: AuditEntry['actor']): string {
  if (actor === null) return 'system';
  return typeof actor === 'string' ? actor : actorLabel(actor);
}

const rowOf = ({ actor, action, target, before, after }: AuditEntry, at: Date): NewRow => ({
  at,
  actor: labelOf(actor),
  action,
  target: target.slice(0, MAX_TARGET),
  before: auditValue(before) ?? undefined,
  after: auditValue(after) ?? undefined,
  ip: typeof actor === 'object' ? (actor?.ip ?? null) : null,
});

const COLUMNS = 'at, actor, action, target, `before`, `after`, ip';

/** By hand, since it is on the path of every turn; SQLite reads MySQL's quotes as well. */
const insertStatement = (rows: number): string =>
  `INSERT INTO base_audit (${COLUMNS}) VALUES ${Array.from({ length: rows }, () => '(?, ?, ?, ?, ?, ?, ?)').join(', ')}`;

const valuesOf = (row: NewRow): unknown[] => [
  sqlTime(row.at),
  row.actor,
  row.action,
  row.target,
  jsonText(row.before),
  jsonText(row.after),
  row.ip,
];

const jsonText = (value: object | null | undefined): string | null =>
  value ? JSON.stringify(value) : null;

async function insert(manager: EntityManager, rows: NewRow[]): Promise<void> {
  const query = manager.createQueryBuilder().insert().into(BaseAuditEntity).values(rows);
  await query.updateEntity(false).execute();
}

const toAuditRow = ({ at, ...row }: BaseAuditEntity): AuditRow => ({
  ...row,
  at: at.toISOString(),
});
