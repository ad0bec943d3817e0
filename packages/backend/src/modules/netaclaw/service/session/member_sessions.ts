import type { EntityManager } from 'typeorm';
import { NetaClawRunEntity } from '../../entity/run.js';

/** These sessions and those of the members that worked for their runs, however deep. */
export async function withMemberSessions(
  manager: EntityManager,
  ids: readonly string[],
): Promise<string[]> {
  const all = new Set(ids);
  let found = [...all];
  while (found.length > 0) {
    const below = await sessionsBelow(manager, found);
    found = below.filter((id) => !all.has(id));
    for (const id of found) all.add(id);
  }
  return [...all];
}

async function sessionsBelow(manager: EntityManager, ids: readonly string[]): Promise<string[]> {
  const rows = await manager
    .createQueryBuilder(NetaClawRunEntity, 'parent')
    .innerJoin(NetaClawRunEntity, 'child', 'child.parentRunId = parent.id')
    .select('DISTINCT child.sessionId', 'id')
    .where('parent.sessionId IN (:...ids)', { ids: [...ids] })
    .getRawMany<{ id: string }>();
  return rows.map(({ id }) => id);
}
