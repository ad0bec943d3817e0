import type { Figures, FiguresBody } from '@netaclaw/contracts';
import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { Audit } from '../../../base/audit/audit.js';
import { Database } from '../../../base/data/database.js';
import { sqlTime } from '../../../base/data/raw.js';
import { runStepsOf, type RunTally } from './run_steps.js';

const MOST_TOOLS = 12;
/** A run's id is made a moment before its start is noted. */
const ID_SLACK_MS = 60_000;

/**
 * The time as text begins with its hour on both databases. Ids grow with time, so that the primary key
 * leads to the window; the exact limits come second.
 */
const TALLY_RUNS =
  'SELECT SUBSTR(startedAt, 1, 13) AS hour, status, COUNT(*) AS runs, ' +
  'SUM(inputTokens + outputTokens) AS tokens FROM netaclaw_run ' +
  'WHERE id >= ? AND startedAt >= ? AND startedAt < ? GROUP BY SUBSTR(startedAt, 1, 13), status';

/** What happened on this platform, in figures. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class NetaClawFiguresService {
  @Inject() database: Database;
  @Inject() audit: Audit;

  /** Two grouped queries, whatever the length of the window. */
  async figures(body: FiguresBody): Promise<Figures> {
    const [from, to] = [new Date(body.from), new Date(body.to)];
    const values = [firstIdOf(from), sqlTime(from), sqlTime(to)];
    const [rows, calls] = await Promise.all([
      this.database.manager.query<RunTally[]>(TALLY_RUNS, values),
      this.audit.tally('tool.call', { from, to }, MOST_TOOLS),
    ]);
    const tallies = rows.map((row) => ({
      ...row,
      runs: Number(row.runs),
      tokens: Number(row.tokens),
    }));
    return {
      steps: runStepsOf(tallies, body),
      tools: calls.map(({ target, count }) => ({
        name: target.replace(/^tool:/, ''),
        calls: count,
      })),
    };
  }
}

/** What no id of that time or later is below: the first 48 bits of a UUID of version 7 are its time. */
function firstIdOf(time: Date): string {
  const hex = Math.max(0, time.getTime() - ID_SLACK_MS)
    .toString(16)
    .padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}
