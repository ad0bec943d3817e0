import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { Database } from '../data/database.js';
import { timeOf, type RawTime } from '../data/raw.js';
import type { Actor } from './actor.js';

/** Ids in one statement: well below what either database takes. */
const BATCH = 500;

interface StandingRow {
  id: string | number;
  version: number;
  status: number;
  expiresAt: RawTime | null;
}

/**
 * What somebody's rights rest on, in short: two equal ones mean that nothing about the user, the sign-in
 * or the key was changed in between. Null: they are worth nothing any more.
 */
export type StandingMark = string | null;

/** Which sign-in or key an actor acts by: `user:<family>`, `key:<id>`. */
export const standingKeyOf = (actor: Actor): string =>
  actor.kind === 'user' ? `user:${actor.familyId}` : `key:${actor.id}`;

/**
 * For connections that stay open: HTTP reads rights at every request, an idle socket makes none. Many
 * are looked up in one statement, so that all of them can be, all the time.
 */
@Provide()
@Scope(ScopeEnum.Singleton)
export class Standing {
  @Inject() database: Database;

  /** The marks of these keys (of `standingKeyOf`); what has been removed or has run out is null. */
  async read(keys: readonly string[]): Promise<Map<string, StandingMark>> {
    const marks = new Map<string, StandingMark>(keys.map((key) => [key, null]));
    await this.readKind(marks, 'user');
    await this.readKind(marks, 'key');
    return marks;
  }

  private async readKind(marks: Map<string, StandingMark>, kind: Actor['kind']): Promise<void> {
    const ids = [...marks.keys()]
      .filter((key) => key.startsWith(`${kind}:`))
      .map((key) => key.slice(kind.length + 1));
    for (let from = 0; from < ids.length; from += BATCH) {
      const batch = ids.slice(from, from + BATCH);
      const rows = await this.database.source.query<StandingRow[]>(
        statements[kind](batch.map(() => '?').join(',')),
        batch,
      );
      for (const row of rows) marks.set(`${kind}:${row.id}`, markOf(row));
    }
  }
}

const statements: Record<Actor['kind'], (places: string) => string> = {
  user: (places) => `
    SELECT s.familyId AS id, u.version, u.status, s.expiresAt
    FROM base_sign_in s JOIN base_user u ON u.id = s.userId WHERE s.familyId IN (${places})`,
  key: (places) =>
    `SELECT id, version, status, expiresAt FROM base_api_key WHERE id IN (${places})`,
};

function markOf({ version, status, expiresAt }: StandingRow): StandingMark {
  const isOver = expiresAt !== null && timeOf(expiresAt).getTime() <= Date.now();
  return status === 1 && !isOver ? String(version) : null;
}
