import { MAX_MEMORY_ENTRIES, memoryTextSchema } from '@netaclaw/contracts';
import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { In, type EntityManager } from 'typeorm';
import { z } from 'zod';
import { Database } from '../../../base/data/database.js';
import { NetaClawMemoryEntity } from '../../entity/memory.js';
import {
  entryLine,
  memorySection,
  type FrozenMemory,
  type RememberedEntry,
} from '../../runtime/memory/memory_section.js';
import type { ToolOutput } from '../../runtime/port.js';
import { searchTexts } from '../../runtime/text_search.js';
import { failed, ok } from '../../tools/common.js';
import type { MemoryStore } from '../../tools/source.js';

/** Whose memory it is: one agent's about one user. */
export interface MemoryOf {
  agentId: number;
  owner: string;
}

const frozenSchema = z.object({ agentId: z.int(), section: z.string() });

/** What agents remember of users: read once when a session begins, changed by tools. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class NetaClawMemoryService {
  @Inject() database: Database;

  /** The memory that a session which begins now would have. */
  async freeze(of: MemoryOf): Promise<FrozenMemory> {
    return { agentId: of.agentId, section: memorySection(await this.read(of)) };
  }

  /** The memory tools of one run. */
  storeOf(of: MemoryOf & { ownerName: string }): MemoryStore {
    return {
      save: (text, replaces) => this.save(of, { text, replaces }),
      search: (query, limit) => this.search(of, query, limit),
      forget: (ids) => this.forget(of, ids),
    };
  }

  /** Takes what was remembered of users or keys that go. */
  async forgetOwners(manager: EntityManager, owners: readonly string[]): Promise<void> {
    await manager.delete(NetaClawMemoryEntity, { owner: In([...owners]) });
  }

  private save(
    of: MemoryOf & { ownerName: string },
    { text: given, replaces }: { text: string; replaces: number | null },
  ): Promise<ToolOutput> {
    const text = memoryTextSchema.parse(given);
    return this.database.write(async (manager) => {
      const entries = await this.read(of, manager);
      const same = entries.find((entry) => entry.text === text);
      if (replaces !== null) return replaceEntry(manager, { entries, replaces, text });
      if (same) return ok(`This is known already, as ${same.id}.`);
      if (entries.length >= MAX_MEMORY_ENTRIES) return failed(FULL);
      const now = new Date();
      const { id } = await manager.save(NetaClawMemoryEntity, {
        ...of,
        text,
        version: 1,
        createTime: now,
        updateTime: now,
      });
      return ok(`Saved as ${id}.`);
    });
  }

  private async search(of: MemoryOf, query: string, limit: number): Promise<ToolOutput> {
    const entries = await this.read(of);
    const found = new Set(searchTexts(entries, query, limit));
    if (found.size === 0) return ok(`Nothing is remembered of "${query}".`);
    const byId = new Map(entries.map((entry) => [entry.id, entry]));
    return ok(
      [...found]
        .flatMap((id) => byId.get(id) ?? [])
        .map(entryLine)
        .join('\n'),
    );
  }

  private forget(of: MemoryOf, ids: readonly number[]): Promise<ToolOutput> {
    return this.database.write(async (manager) => {
      const known = new Set((await this.read(of, manager)).map(({ id }) => id));
      const unknown = ids.filter((id) => !known.has(id));
      if (unknown.length > 0) {
        return failed(`There is no entry ${unknown.join(', ')}; nothing was forgotten.`);
      }
      await manager.delete(NetaClawMemoryEntity, { id: In([...ids]) });
      return ok(`Forgot ${[...new Set(ids)].join(', ')}.`);
    });
  }

  private async read(
    { agentId, owner }: MemoryOf,
    manager: EntityManager = this.database.manager,
  ): Promise<RememberedEntry[]> {
    const rows = await manager.find(NetaClawMemoryEntity, {
      where: { agentId, owner },
      select: { id: true, text: true, updateTime: true },
      order: { id: 'ASC' },
    });
    return rows.map(({ id, text, updateTime }) => ({ id, text, at: updateTime }));
  }
}

const FULL =
  `Nothing was saved: there are ${MAX_MEMORY_ENTRIES} notes about this user, which is the most. ` +
  'Forget what is out of date first, or save this in the place of an entry (replaces).';

async function replaceEntry(
  manager: EntityManager,
  { entries, replaces, text }: { entries: RememberedEntry[]; replaces: number; text: string },
): Promise<ToolOutput> {
  if (!entries.some(({ id }) => id === replaces)) {
    return failed(`Nothing was saved: there is no entry ${replaces} to replace.`);
  }
  const same = entries.find((entry) => entry.text === text && entry.id !== replaces);
  if (same) {
    await manager.delete(NetaClawMemoryEntity, { id: replaces });
    return ok(`This is known already, as ${same.id}; ${replaces} was forgotten.`);
  }
  const set = { text, updateTime: new Date(), version: () => 'version + 1' };
  await manager.update(NetaClawMemoryEntity, { id: replaces }, set);
  return ok(`Saved in the place of ${replaces}.`);
}

/** The section that a session began with, as far as it is this agent's. Empty: none. */
export function thawed(stored: string | null, agentId: number): string {
  if (stored === null) return '';
  const frozen = frozenSchema.parse(JSON.parse(stored));
  return frozen.agentId === agentId ? frozen.section : '';
}
