import type { SyncResult, Status } from '@netaclaw/contracts';
import type { CatalogEntry } from '../../tools/catalog.js';

/** The code-owned part of a row, as a sync reads it. */
export interface SyncedRow {
  id: number;
  name: string;
  toolset: string;
  visibility: string | null;
  capability: string | null;
  isCore: number;
  canDisable: number;
  source: string;
  catalogState: string;
}

export interface CodeFields {
  toolset: string;
  visibility: CatalogEntry['visibility'];
  capability: CatalogEntry['capability'];
  isCore: Status;
  canDisable: Status;
  source: string;
  catalogState: 'present';
}

export interface SyncPlan {
  inserts: readonly CatalogEntry[];
  updates: readonly { id: number; fields: CodeFields }[];
  missingIds: readonly number[];
  unchanged: number;
}

/** What a sync has to do: compares what the code declares with what the rows say. Pure. */
export function planSync(entries: readonly CatalogEntry[], rows: readonly SyncedRow[]): SyncPlan {
  const byName = new Map(rows.map((row) => [row.name, row]));
  const inserts: CatalogEntry[] = [];
  const updates: { id: number; fields: CodeFields }[] = [];
  let unchanged = 0;
  for (const entry of entries) {
    const row = byName.get(entry.name);
    byName.delete(entry.name);
    if (!row) inserts.push(entry);
    else if (agrees(row, entry)) unchanged += 1;
    else updates.push({ id: row.id, fields: codeFields(entry) });
  }
  const left = [...byName.values()].filter(({ catalogState }) => catalogState === 'present');
  unchanged += byName.size - left.length;
  return { inserts, updates, missingIds: left.map(({ id }) => id), unchanged };
}

export const codeFields = (entry: CatalogEntry): CodeFields => ({
  toolset: entry.toolset,
  visibility: entry.visibility,
  capability: entry.capability,
  isCore: entry.isCore ? 1 : 0,
  canDisable: entry.canDisable ? 1 : 0,
  source: entry.source,
  catalogState: 'present',
});

/** Compared field by field: a sync of ten thousand unchanged tools makes no object per tool. */
const agrees = (row: SyncedRow, entry: CatalogEntry): boolean =>
  row.catalogState === 'present' &&
  row.toolset === entry.toolset &&
  row.visibility === entry.visibility &&
  row.capability === entry.capability &&
  Boolean(row.isCore) === entry.isCore &&
  Boolean(row.canDisable) === entry.canDisable &&
  row.source === entry.source;

export const hasChanges = ({ inserts, updates, missingIds }: SyncPlan): boolean =>
  inserts.length + updates.length + missingIds.length > 0;

export const syncResultOf = (plan: SyncPlan, refused: SyncResult['refused']): SyncResult => ({
  inserted: plan.inserts.length,
  updated: plan.updates.length,
  missing: plan.missingIds.length,
  unchanged: plan.unchanged,
  refused,
});
