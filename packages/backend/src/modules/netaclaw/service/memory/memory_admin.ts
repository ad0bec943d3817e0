import type { MemoryEntry, MemoryPageBody, MemoryUpdateBody, Page } from '@netaclaw/contracts';
import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { In, type EntityManager } from 'typeorm';
import { Audit } from '../../../base/audit/audit.js';
import { ownerOf, type Actor } from '../../../base/auth/actor.js';
import { Database } from '../../../base/data/database.js';
import { pageQuery } from '../../../base/data/page_query.js';
import { versionedUpdate } from '../../../base/data/versioned_update.js';
import { DomainError, notFound, staleVersion } from '../../../base/error.js';
import { NetaClawMemoryEntity } from '../../entity/memory.js';

/** What people see and change of what agents remember. A viewer's is what is remembered of himself. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class NetaClawMemoryAdminService {
  @Inject() database: Database;
  @Inject() audit: Audit;

  async page(body: MemoryPageBody, actor: Actor): Promise<Page<MemoryEntry>> {
    const { agentId } = body;
    const owner = seesAll(actor) ? body.owner : ownerOf(actor);
    const page = await pageQuery(this.database.repository(NetaClawMemoryEntity), {
      request: body,
      order: { column: 'updateTime', sort: 'desc' },
      keyWordColumns: ['text', 'ownerName'],
      equal: { agentId, owner },
    });
    return { ...page, list: page.list.map(entryOf) };
  }

  /** Takes effect in sessions that begin from now on; what a session began with stays. */
  async update({ id, version, text }: MemoryUpdateBody, actor: Actor): Promise<MemoryEntry> {
    return this.database.write(async (manager) => {
      const before = await find(manager, [id], actor);
      const hit = await versionedUpdate(manager, NetaClawMemoryEntity, {
        id,
        version,
        set: { text },
      });
      const after = await find(manager, [id], actor);
      const [row] = after;
      if (!row) throw notFound(`the memory entry ${id}`);
      if (!hit) throw staleVersion(`the memory entry ${id}`, entryOf(row));
      await this.audit.record(manager, {
        actor,
        action: 'memory.update',
        target: `memory:${id}`,
        before: audited(before[0] ?? row),
        after: audited(row),
      });
      return entryOf(row);
    });
  }

  /** Deletes all of them or none. */
  async delete(ids: readonly number[], actor: Actor): Promise<number> {
    return this.database.write(async (manager) => {
      const rows = await find(manager, ids, actor);
      await manager.delete(NetaClawMemoryEntity, { id: In([...ids]) });
      const entries = rows.map((row) => ({
        actor,
        action: 'memory.delete' as const,
        target: `memory:${row.id}`,
        before: audited(row),
      }));
      await this.audit.record(manager, ...entries);
      return rows.length;
    });
  }
}

const seesAll = ({ role }: Actor): boolean => role === 'admin' || role === 'operator';

async function find(
  manager: EntityManager,
  ids: readonly number[],
  actor: Actor,
): Promise<NetaClawMemoryEntity[]> {
  const rows = await manager.findBy(NetaClawMemoryEntity, { id: In([...ids]) });
  const missing = ids.find((id) => !rows.some((row) => row.id === id));
  if (missing !== undefined) throw notFound(`the memory entry ${missing}`);
  if (seesAll(actor) || rows.every(({ owner }) => owner === ownerOf(actor))) return rows;
  throw new DomainError('forbidden', 'a viewer may change only what is remembered of himself');
}

/** The audit outlives what a person had deleted, so it says whose it was and not what it said. */
const audited = ({ agentId, ownerName, text }: NetaClawMemoryEntity) => ({
  agentId,
  owner: ownerName,
  characters: text.length,
});

const entryOf = (row: NetaClawMemoryEntity): MemoryEntry => ({
  id: row.id,
  agentId: row.agentId,
  owner: row.owner,
  ownerName: row.ownerName,
  text: row.text,
  version: row.version,
  createTime: row.createTime.toISOString(),
  updateTime: row.updateTime.toISOString(),
});
