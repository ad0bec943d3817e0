import type {
  Agent,
  AgentAddBody,
  AgentConfig,
  AgentListItem,
  AgentPageBody,
  AgentUpdateBody,
  Page,
} from '@netaclaw/contracts';
import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { In } from 'typeorm';
import { Audit } from '../../../base/audit/audit.js';
import type { Actor } from '../../../base/auth/actor.js';
import { ChangeCounter, Versioned } from '../../../base/data/change_counter.js';
import { Database } from '../../../base/data/database.js';
import { isUniqueViolation } from '../../../base/data/errors.js';
import { pageQuery } from '../../../base/data/page_query.js';
import { versionedUpdate } from '../../../base/data/versioned_update.js';
import { DomainError, invalid, nameTaken, notFound, staleVersion } from '../../../base/error.js';
import { NetaClawAgentEntity } from '../../entity/agent.js';
import { NetaClawMemoryEntity } from '../../entity/memory.js';
import { NetaClawModelChannelEntity } from '../../entity/model_channel.js';
import { refuseDeletionFromCrews, refuseNameInCrews } from '../crew/agents_in_crews.js';
import { NetaClawSandboxDriversService } from '../computer/sandbox_drivers.js';
import { agentProblems, lockedTools, unknownDriver } from './agent_rules.js';
import { agentOf } from './agent_row.js';
import { NetaClawSkillDirectoryService } from '../skill/skill_directory.js';
import { NetaClawToolRegistryService } from '../tool/tool_registry.js';

/** Storage of agents; a saved one names only what exists. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class NetaClawAgentService {
  @Inject() database: Database;
  @Inject() changes: ChangeCounter;
  @Inject() audit: Audit;
  @Inject() drivers: NetaClawSandboxDriversService;
  @Inject() registry: NetaClawToolRegistryService;
  @Inject() skills: NetaClawSkillDirectoryService;
  private kept: Versioned<Map<string, Promise<Agent | null>>>;

  /** An agent by name, read once per version of the governance. Null when there is none. */
  async byName(name: string): Promise<Agent | null> {
    this.kept ??= new Versioned(this.changes, async () => new Map());
    const agents = await this.kept.get();
    const known = agents.get(name);
    if (known) return known;
    const loading = this.load(name);
    agents.set(name, loading);
    loading.catch(() => agents.delete(name));
    return loading;
  }

  async page(body: AgentPageBody): Promise<Page<Agent>> {
    const { status, runtime, channelId } = body;
    const page = await pageQuery(this.database.repository(NetaClawAgentEntity), {
      request: body,
      keyWordColumns: ['name', 'label', 'description'],
      equal: { status, runtime, channelId },
    });
    return { ...page, list: page.list.map(agentOf) };
  }

  async list(): Promise<AgentListItem[]> {
    const rows = await this.database.repository(NetaClawAgentEntity).find({
      select: { id: true, name: true, label: true, status: true },
      order: { name: 'ASC' },
    });
    return rows.map(({ id, name, label, status }) => ({ id, name, label, status }));
  }

  /** The agents that are turned on. */
  async active(): Promise<Pick<Agent, 'name' | 'createTime'>[]> {
    const rows = await this.database.repository(NetaClawAgentEntity).find({
      select: { id: true, name: true, createTime: true },
      where: { status: 1 },
      order: { name: 'ASC' },
    });
    return rows.map(({ name, createTime }) => ({ name, createTime: createTime.toISOString() }));
  }

  async info(id: number): Promise<Agent> {
    return agentOf(await this.find(id));
  }

  async add(body: AgentAddBody, actor: Actor | null): Promise<Agent> {
    await this.refuseUnknown(body);
    const now = new Date();
    const row = {
      ...body,
      label: body.label || body.name,
      version: 1,
      createTime: now,
      updateTime: now,
    };
    return this.named(body.name, () =>
      this.changes.change(async (manager) => {
        const { id } = await manager.save(NetaClawAgentEntity, row);
        const agent = agentOf(await manager.findOneByOrFail(NetaClawAgentEntity, { id }));
        await this.audit.record(manager, {
          actor,
          action: 'agent.add',
          target: `agent:${agent.name}`,
          after: agent,
        });
        return agent;
      }),
    );
  }

  async update({ id, version, ...set }: AgentUpdateBody, actor: Actor): Promise<Agent> {
    const before = agentOf(await this.find(id));
    await this.refuseUnknown({ ...before, ...set });
    return this.named(set.name ?? before.name, () =>
      this.changes.change(async (manager) => {
        const { name = before.name } = set;
        if (name !== before.name) await refuseNameInCrews(manager, { id, name });
        const hit = await versionedUpdate(manager, NetaClawAgentEntity, { id, version, set });
        const row = await manager.findOneBy(NetaClawAgentEntity, { id });
        if (!row) throw notFound(`the agent ${id}`);
        const after = agentOf(row);
        if (!hit) throw staleVersion(`the agent ${after.name}`, after);
        await this.audit.record(manager, {
          actor,
          action: 'agent.update',
          target: `agent:${after.name}`,
          before,
          after,
        });
        return after;
      }),
    );
  }

  /**
   * Deletes all of them or none, with what they remember; not those that a crew has. Sessions stay: what
   * was said is not the agent's to take away.
   */
  async delete(ids: readonly number[], actor: Actor): Promise<number> {
    return this.changes.change(async (manager) => {
      const rows = await manager.findBy(NetaClawAgentEntity, { id: In([...ids]) });
      const missing = ids.find((id) => !rows.some((row) => row.id === id));
      if (missing !== undefined) throw notFound(`the agent ${missing}`);
      await refuseDeletionFromCrews(manager, rows);
      await manager.delete(NetaClawAgentEntity, [...new Set(ids)]);
      await manager.delete(NetaClawMemoryEntity, { agentId: In([...ids]) });
      const entries = rows.map((row) => ({
        actor,
        action: 'agent.delete' as const,
        target: `agent:${row.name}`,
        before: agentOf(row),
      }));
      await this.audit.record(manager, ...entries);
      return rows.length;
    });
  }

  /** Refuses a configuration that names what does not exist, or disables what cannot be. */
  async refuseUnknown(config: Partial<AgentConfig>): Promise<void> {
    const registry = await this.registry.snapshot();
    const skills = config.skills?.length ? await this.skills.known() : new Map();
    const problems = [
      ...agentProblems(config, registry, skills),
      ...unknownDriver(config, this.drivers.sandboxKinds()),
    ];
    if (config.channelId && !(await this.channelExists(config.channelId))) {
      problems.push({ path: 'channelId', message: `there is no channel ${config.channelId}` });
    }
    if (problems.length > 0) throw invalid(problems);
    const locked = lockedTools(config, registry);
    if (locked.length > 0) {
      throw new DomainError(
        'conflict',
        `${locked.join(', ')}: a core tool cannot be disabled by an agent`,
      );
    }
  }

  private async load(name: string): Promise<Agent | null> {
    const row = await this.database.repository(NetaClawAgentEntity).findOneBy({ name });
    return row ? agentOf(row) : null;
  }

  private async find(id: number): Promise<NetaClawAgentEntity> {
    const row = await this.database.repository(NetaClawAgentEntity).findOneBy({ id });
    if (!row) throw notFound(`the agent ${id}`);
    return row;
  }

  private channelExists(id: number): Promise<boolean> {
    return this.database.repository(NetaClawModelChannelEntity).existsBy({ id });
  }

  private async named<T>(name: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      const row = await this.database.repository(NetaClawAgentEntity).findOneBy({ name });
      throw nameTaken(`there is already an agent named ${name}`, {
        current: row ? agentOf(row) : null,
      });
    }
  }
}
