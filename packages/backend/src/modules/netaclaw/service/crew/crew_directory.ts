import type { Crew, CrewRole } from '@netaclaw/contracts';
import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { In } from 'typeorm';
import { ChangeCounter, Versioned } from '../../../base/data/change_counter.js';
import { Database } from '../../../base/data/database.js';
import { DomainError } from '../../../base/error.js';
import { NetaClawAgentEntity } from '../../entity/agent.js';
import { NetaClawCrewEntity } from '../../entity/crew.js';
import { memberNameOf } from '../../runtime/crew/delegate_name.js';
import { crewToolsOf, type CrewTools } from '../../tools/crew_tools.js';
import { crewOf } from './crew_row.js';

/** An agent as its crew knows it. */
export interface LoadedMember {
  agentId: number;
  agentName: string;
  /** What the master and the events call it. */
  name: string;
}

/** A crew with what its agents say of themselves, and the tools of its master. */
export interface LoadedCrew extends Omit<Crew, 'members'> {
  masterName: string;
  members: readonly LoadedMember[];
  tools: CrewTools;
}

/** Where a run sits in a crew. */
export interface CrewSeat {
  crew: LoadedCrew;
  role: CrewRole;
}

/** The same by name, as it is kept while the governance moves. */
export interface SeatName {
  crew: string;
  role: CrewRole;
}

type AgentFacts = Pick<NetaClawAgentEntity, 'id' | 'name' | 'description' | 'status'>;

interface Loaded {
  rows: readonly NetaClawCrewEntity[];
  crews: Map<number, Promise<LoadedCrew>>;
}

/** The crews as runs see them; read once per version of the governance. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class NetaClawCrewDirectoryService {
  @Inject() database: Database;
  @Inject() changes: ChangeCounter;
  private kept: Versioned<Loaded>;

  /** Null when there is none of this name. */
  async byName(name: string): Promise<LoadedCrew | null> {
    return this.first((row) => row.name === name);
  }

  async byId(id: number): Promise<LoadedCrew | null> {
    return this.first((row) => row.id === id);
  }

  /** The crew that an agent leads: the first by name of those that are on. */
  async ledBy(agentId: number): Promise<LoadedCrew | null> {
    return this.first((row) => row.masterAgentId === agentId && row.status === 1);
  }

  /** The crews that are on, by name. */
  async active(): Promise<Pick<Crew, 'name' | 'createTime'>[]> {
    const { rows } = await this.loaded();
    return rows
      .filter(({ status }) => status === 1)
      .map(({ name, createTime }) => ({ name, createTime: createTime.toISOString() }));
  }

  /** The seat as it stands now. Throws a conflict when the run has lost it: a run goes on as what it began, or not at all. */
  async seat({ crew: name, role }: SeatName, agentName: string): Promise<CrewSeat> {
    const crew = await this.byName(name);
    if (crew?.status !== 1) {
      throw new DomainError('conflict', `The crew ${name} was removed or turned off while it ran.`);
    }
    const sits =
      role === 'master'
        ? crew.masterName === agentName
        : crew.members.some((member) => member.agentName === agentName);
    if (sits) return { crew, role };
    const place = role === 'master' ? 'the master' : 'a member';
    const sentence = `The agent ${agentName} is not ${place} of the crew ${name} any more.`;
    throw new DomainError('conflict', sentence);
  }

  private async first(fits: (row: NetaClawCrewEntity) => boolean): Promise<LoadedCrew | null> {
    const { rows, crews } = await this.loaded();
    const row = rows.find(fits);
    if (!row) return null;
    const known = crews.get(row.id);
    if (known) return known;
    const loading = this.load(row);
    crews.set(row.id, loading);
    loading.catch(() => crews.delete(row.id));
    return loading;
  }

  private loaded(): Promise<Loaded> {
    this.kept ??= new Versioned(this.changes, async () => ({
      rows: await this.database
        .repository(NetaClawCrewEntity)
        .find({ order: { name: 'ASC', id: 'ASC' } }),
      crews: new Map(),
    }));
    return this.kept.get();
  }

  private async load(row: NetaClawCrewEntity): Promise<LoadedCrew> {
    const ids = [row.masterAgentId, ...row.members.map(({ agentId }) => agentId)];
    const rows: AgentFacts[] = await this.database.repository(NetaClawAgentEntity).find({
      select: { id: true, name: true, description: true, status: true },
      where: { id: In(ids) },
    });
    return loadedCrew(crewOf(row), new Map(rows.map((agent) => [agent.id, agent])));
  }
}

function loadedCrew(crew: Crew, agents: ReadonlyMap<number, AgentFacts>): LoadedCrew {
  const members = crew.members.map((member) => {
    const agent = agents.get(member.agentId);
    const agentName = agent?.name ?? '';
    return {
      agentId: member.agentId,
      agentName,
      name: memberNameOf({ alias: member.alias ?? null, agentName }),
      description: member.description || (agent?.description ?? ''),
      problem: problemOf(agent),
    };
  });
  return {
    ...crew,
    masterName: agents.get(crew.masterAgentId)?.name ?? '',
    members,
    tools: crewToolsOf(members),
  };
}

function problemOf(agent: AgentFacts | undefined): string | null {
  if (!agent) return 'The agent of this member is gone. Change the crew in Crews.';
  return agent.status === 1
    ? null
    : `The agent ${agent.name} is turned off. Turn it on in Agents > Basics.`;
}
