import type {
  Page,
  SyncResult,
  ToolPageBody,
  ToolRow,
  ToolsForAgent,
  ToolsForAgentBody,
  ToolUpdateBody,
} from '@netaclaw/contracts';
import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { In, type EntityManager } from 'typeorm';
import { Audit } from '../../../base/audit/audit.js';
import type { Actor } from '../../../base/auth/actor.js';
import { ChangeCounter, Versioned } from '../../../base/data/change_counter.js';
import { Database } from '../../../base/data/database.js';
import { pageQuery } from '../../../base/data/page_query.js';
import { versionedUpdate } from '../../../base/data/versioned_update.js';
import { DomainError, notFound, staleVersion } from '../../../base/error.js';
import { NetaClawToolEntity } from '../../entity/tool.js';
import type { RegistrySnapshot } from '../../runtime/tools/governed_tool.js';
import { TOOLSET_DEFAULTS } from '../../tools/catalog.js';
import { buildSnapshot, type GovernanceRow } from '../../tools/registry_snapshot.js';
import { NetaClawSandboxDriversService } from '../computer/sandbox_drivers.js';
import { toolChoices } from './tool_choices.js';
import { operatorFields, toolRowOf } from './tool_row.js';
import { NetaClawToolSourcesService } from './tool_sources.js';
import {
  codeFields,
  hasChanges,
  planSync,
  syncResultOf,
  type SyncedRow,
  type SyncPlan,
} from './tool_sync.js';

/** Both databases limit the values of a statement. */
const CHUNK = 400;
/** Rows of one reading, so that ten thousand do not hold up everything else. */
const READ_CHUNK = 2000;

/** The table `netaclaw_tool`: brings the catalog into it, reads it, and guards what an operator changes. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class NetaClawToolRegistryService {
  @Inject() database: Database;
  @Inject() changes: ChangeCounter;
  @Inject() sources: NetaClawToolSourcesService;
  @Inject() audit: Audit;
  @Inject() drivers: NetaClawSandboxDriversService;
  private kept: Versioned<RegistrySnapshot>;
  /** False until the first sync has succeeded; the server is not ready before. */
  synced = false;

  /** The catalog joined with the rows; read once per version. Rejects when the rows cannot be read. */
  snapshot(): Promise<RegistrySnapshot> {
    this.kept ??= new Versioned(this.changes, () => this.loadSnapshot());
    return this.kept.get();
  }

  /**
   * Brings the catalog into the table. Idempotent, and safe when several nodes do it at once. Operator
   * fields stay as they are; what the code no longer declares is marked missing, never deleted.
   */
  async syncCatalogToDb(actor: Actor | null): Promise<SyncResult> {
    const { catalog } = this.sources;
    const plan = planSync(catalog.all(), await this.readSyncedRows());
    const result = syncResultOf(plan, [...catalog.refused]);
    if (hasChanges(plan)) await this.changes.change((manager) => this.applySync(manager, plan));
    if (actor || hasChanges(plan)) await this.recordSync(actor, result);
    this.synced = true;
    return result;
  }

  async page(body: ToolPageBody): Promise<Page<ToolRow>> {
    const { toolset, capability, visibility, status, isCore, source, catalogState } = body;
    const page = await pageQuery(this.database.repository(NetaClawToolEntity), {
      request: body,
      order: { column: 'id', sort: 'asc' },
      keyWordColumns: ['name', 'label', 'description'],
      keyWordAlso: { column: 'name', values: this.namesSaying(body.keyWord) },
      equal: { toolset, capability, visibility, status, isCore, source, catalogState },
    });
    return { ...page, list: page.list.map(toolRowOf) };
  }

  async find(id: number): Promise<NetaClawToolEntity> {
    const row = await this.database.repository(NetaClawToolEntity).findOneBy({ id });
    if (!row) throw notFound(`the tool ${id}`);
    return row;
  }

  /** Every tool in the order of the prompt. */
  async all(): Promise<ToolRow[]> {
    const rows = await this.database
      .repository(NetaClawToolEntity)
      .find({ order: { sort: 'ASC', name: 'ASC' } });
    return rows.map(toolRowOf);
  }

  /** Changes operator fields. Refuses what governance forbids; a stale version is a conflict with the current row. */
  async update(body: ToolUpdateBody, actor: Actor): Promise<ToolRow> {
    const before = await this.find(body.id);
    this.refuseForbidden(before, body);
    const after = await this.changes.change(async (manager) => {
      const { id, version } = body;
      const hit = await versionedUpdate(manager, NetaClawToolEntity, {
        id,
        version,
        set: operatorFields(body),
      });
      const row = await manager.findOneByOrFail(NetaClawToolEntity, { id });
      if (!hit) throw staleVersion(`the tool ${row.name}`, toolRowOf(row));
      await this.audit.record(manager, {
        actor,
        action: 'tool.update',
        target: `tool:${row.name}`,
        before: toolRowOf(before),
        after: toolRowOf(row),
      });
      return row;
    });
    return toolRowOf(after);
  }

  /** What an agent's editor chooses from. Tools that the code no longer declares are not offered. */
  async forAgent(body: ToolsForAgentBody): Promise<ToolsForAgent> {
    const toolsets = toolChoices(await this.snapshot(), body, this.broughtAlong(body));
    return { defaults: [...TOOLSET_DEFAULTS], toolsets };
  }

  private broughtAlong({ computer }: ToolsForAgentBody): readonly string[] {
    if (!computer) return [];
    const { runtime, driver } = computer;
    return this.drivers.broughtAlong({ runtime, sandbox: driver ? { driver } : null });
  }

  /** Tools that say this in their code; the rows hold only what an operator wrote. */
  private namesSaying(keyWord: string | undefined): readonly string[] {
    const word = keyWord?.trim().toLowerCase() ?? '';
    if (word === '') return [];
    const { catalog } = this.sources;
    return catalog
      .all()
      .filter(({ description }) => description.toLowerCase().includes(word))
      .map(({ name }) => name);
  }

  private refuseForbidden(row: NetaClawToolEntity, body: ToolUpdateBody): void {
    if (body.status === 0 && row.isCore === 1 && row.canDisable === 0) {
      throw new DomainError(
        'conflict',
        `${row.name} is a core tool that the platform needs; it cannot be turned off`,
        { current: toolRowOf(row) },
      );
    }
    const entry = this.sources.catalog.get(row.name);
    if (body.promptHint && entry?.supportsPromptHint === false) {
      const message = `${row.name} does not take a prompt hint`;
      throw new DomainError('validation', message, [{ path: 'promptHint', message }]);
    }
  }

  private async loadSnapshot(): Promise<RegistrySnapshot> {
    const rows = await this.readRows<GovernanceRow>([
      'name',
      'label',
      'toolset',
      'source',
      'description',
      'status',
      'sort',
      'promptHint',
    ]);
    return buildSnapshot(this.sources.catalog, rows, this.changes.version);
  }

  private readSyncedRows(): Promise<SyncedRow[]> {
    return this.readRows<SyncedRow>([
      'name',
      'toolset',
      'visibility',
      'capability',
      'isCore',
      'canDisable',
      'source',
      'catalogState',
    ]);
  }

  /** Plain rows of all tools, some columns of them, read in parts by id. */
  private async readRows<T>(
    columns: readonly (keyof NetaClawToolEntity & keyof T & string)[],
  ): Promise<T[]> {
    const rows: (T & { id: number })[] = [];
    for (;;) {
      const query = this.database
        .repository(NetaClawToolEntity)
        .createQueryBuilder('tool')
        .select('tool.id', 'id')
        .where('tool.id > :after', { after: rows.at(-1)?.id ?? 0 })
        .orderBy('tool.id')
        .limit(READ_CHUNK);
      for (const column of columns) query.addSelect(`tool.${column}`, column);
      const part = await query.getRawMany<T & { id: number }>();
      for (const row of part) rows.push(row);
      if (part.length < READ_CHUNK) return rows;
    }
  }

  private async applySync(manager: EntityManager, plan: SyncPlan): Promise<void> {
    const now = new Date();
    for (const part of chunksOf(plan.inserts)) {
      const rows = part.map((entry) => ({
        name: entry.name,
        label: entry.name,
        status: 1 as const,
        sort: 0,
        version: 1,
        createTime: now,
        updateTime: now,
        ...codeFields(entry),
      }));
      const insert = manager.createQueryBuilder().insert().into(NetaClawToolEntity).values(rows);
      await insert.orIgnore().updateEntity(false).execute();
    }
    for (const { id, fields } of plan.updates) {
      await manager.update(NetaClawToolEntity, { id }, { ...fields, updateTime: now });
    }
    for (const ids of chunksOf(plan.missingIds)) {
      await manager.update(
        NetaClawToolEntity,
        { id: In([...ids]) },
        { catalogState: 'missing', updateTime: now },
      );
    }
  }

  private async recordSync(actor: Actor | null, result: SyncResult): Promise<void> {
    await this.database.write((manager) =>
      this.audit.record(manager, { actor, action: 'tool.sync', target: 'tool:*', after: result }),
    );
  }
}

function* chunksOf<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < items.length; from += CHUNK) yield items.slice(from, from + CHUNK);
}
