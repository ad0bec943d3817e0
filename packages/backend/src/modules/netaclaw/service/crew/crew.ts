import type { Crew, CrewAddBody, CrewPageBody, CrewUpdateBody, Page } from '@netaclaw/contracts';
import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { In, type EntityManager } from 'typeorm';
import { Audit } from '../../../base/audit/audit.js';
import type { Actor } from '../../../base/auth/actor.js';
import { ChangeCounter } from '../../../base/data/change_counter.js';
import { Database } from '../../../base/data/database.js';
import { isUniqueViolation } from '../../../base/data/errors.js';
import { pageQuery } from '../../../base/data/page_query.js';
import { versionedUpdate } from '../../../base/data/versioned_update.js';
import { invalid, nameTaken, notFound, staleVersion } from '../../../base/error.js';
import { NetaClawAgentEntity } from '../../entity/agent.js';
import { NetaClawCrewEntity } from '../../entity/crew.js';
import { crewProblems, type CrewShape } from '../../runtime/crew/delegate_name.js';
import { crewOf } from './crew_row.js';

/** Storage of crews; a saved one names only agents that exist, each by a tool of its own. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class NetaClawCrewService {
  @Inject() database: Database;
  @Inject() changes: ChangeCounter;
  @Inject() audit: Audit;

  async page(body: CrewPageBody): Promise<Page<Crew>> {
    const { status, masterAgentId } = body;
    const page = await pageQuery(this.database.repository(NetaClawCrewEntity), {
      request: body,
      keyWordColumns: ['name', 'label', 'description'],
      equal: { status, masterAgentId },
    });
    return { ...page, list: page.list.map(crewOf) };
  }

  async info(id: number): Promise<Crew> {
    return crewOf(await this.find(id));
  }

  async add(body: CrewAddBody, actor: Actor): Promise<Crew> {
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
        await refuseUnfit(manager, body);
        const { id } = await manager.save(NetaClawCrewEntity, row);
        const crew = crewOf(await manager.findOneByOrFail(NetaClawCrewEntity, { id }));
        await this.audit.record(manager, {
          actor,
          action: 'crew.add',
          target: `crew:${crew.name}`,
          after: crew,
        });
        return crew;
      }),
    );
  }

  async update({ id, version, ...set }: CrewUpdateBody, actor: Actor): Promise<Crew> {
    const before = crewOf(await this.find(id));
    return this.named(set.name ?? before.name, () =>
      this.changes.change(async (manager) => {
        await refuseUnfit(manager, { ...before, ...set });
        const hit = await versionedUpdate(manager, NetaClawCrewEntity, { id, version, set });
        const row = await manager.findOneBy(NetaClawCrewEntity, { id });
        if (!row) throw notFound(`the crew ${id}`);
        const after = crewOf(row);
        if (!hit) throw staleVersion(`the crew ${after.name}`, after);
        await this.audit.record(manager, {
          actor,
          action: 'crew.update',
          target: `crew:${after.name}`,
          before,
          after,
        });
        return after;
      }),
    );
  }

  /** Deletes all of them or none. Sessions and runs stay. */
  async delete(ids: readonly number[], actor: Actor): Promise<number> {
    return this.changes.change(async (manager) => {
      const rows = await manager.findBy(NetaClawCrewEntity, { id: In([...ids]) });
      const missing = ids.find((id) => !rows.some((row) => row.id === id));
      if (missing !== undefined) throw notFound(`the crew ${missing}`);
      await manager.delete(NetaClawCrewEntity, [...new Set(ids)]);
      const entries = rows.map((row) => ({
        actor,
        action: 'crew.delete' as const,
        target: `crew:${row.name}`,
        before: crewOf(row),
      }));
      await this.audit.record(manager, ...entries);
      return rows.length;
    });
  }

  private async find(id: number): Promise<NetaClawCrewEntity> {
    const row = await this.database.repository(NetaClawCrewEntity).findOneBy({ id });
    if (!row) throw notFound(`the crew ${id}`);
    return row;
  }

  private async named<T>(name: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      const row = await this.database.repository(NetaClawCrewEntity).findOneBy({ name });
      throw nameTaken(`there is already a crew named ${name}`, {
        current: row ? crewOf(row) : null,
      });
    }
  }
}

/** Looked at where it is stored, so that an agent cannot be deleted between. */
async function refuseUnfit(manager: EntityManager, crew: CrewShape): Promise<void> {
  const ids = [crew.masterAgentId, ...crew.members.map(({ agentId }) => agentId)];
  const agents = await manager.find(NetaClawAgentEntity, {
    select: { id: true, name: true },
    where: { id: In(ids) },
  });
  const problems = crewProblems(crew, new Map(agents.map(({ id, name }) => [id, name])));
  if (problems.length > 0) throw invalid(problems);
}
