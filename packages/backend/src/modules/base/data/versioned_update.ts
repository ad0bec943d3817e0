import type { EntityManager } from 'typeorm';
import type { BaseEntity } from '../entity/base.js';

/** A row that two people may have open at once. */
export interface VersionedRow extends BaseEntity {
  version: number;
}

export interface VersionedChange<T extends VersionedRow> {
  id: number;
  /** The version that the change was made from. */
  version: number;
  /** The columns to set; `version` and `updateTime` are set by themselves. */
  set: Partial<Omit<T, 'id' | 'version' | 'updateTime'>>;
}

/**
 * Stores a change if the row still has the version it was made from, in one statement. False when it
 * has not, or is gone: nothing is stored then.
 */
export async function versionedUpdate<T extends VersionedRow>(
  manager: EntityManager,
  entity: new () => T,
  { id, version, set }: VersionedChange<T>,
): Promise<boolean> {
  const table: new () => VersionedRow = entity;
  const result = await manager
    .createQueryBuilder()
    .update(table)
    .set({ ...set, version: () => 'version + 1', updateTime: new Date() })
    .where('id = :id AND version = :version', { id, version })
    .execute();
  return result.affected === 1;
}
