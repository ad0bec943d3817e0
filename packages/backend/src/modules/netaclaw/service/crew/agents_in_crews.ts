import { In, type EntityManager } from 'typeorm';
import { DomainError } from '../../../base/error.js';
import { NetaClawAgentEntity } from '../../entity/agent.js';
import { NetaClawCrewEntity } from '../../entity/crew.js';
import { crewProblems, type CrewShape } from '../../runtime/crew/delegate_name.js';

/** Refuses to take agents away from the crews they are in, and names those. */
export async function refuseDeletionFromCrews(
  manager: EntityManager,
  agents: readonly Pick<NetaClawAgentEntity, 'id' | 'name'>[],
): Promise<void> {
  const crews = await manager.find(NetaClawCrewEntity, { order: { name: 'ASC' } });
  for (const { id, name } of agents) {
    const of = crews.filter((crew) => isIn(crew, id)).map((crew) => crew.name);
    if (of.length === 0) continue;
    const which = of.length === 1 ? `the crew ${of[0]}` : `the crews ${of.join(', ')}`;
    throw new DomainError('conflict', `the agent ${name} is in ${which}; take it out there first`);
  }
}

/** Refuses a new name of an agent that would give two members of a crew the same tool. */
export async function refuseNameInCrews(
  manager: EntityManager,
  agent: Pick<NetaClawAgentEntity, 'id' | 'name'>,
): Promise<void> {
  const crews = await manager.find(NetaClawCrewEntity, { order: { name: 'ASC' } });
  for (const crew of crews.filter((each) => isIn(each, agent.id))) {
    const members = await manager.find(NetaClawAgentEntity, {
      select: { id: true, name: true },
      where: { id: In([crew.masterAgentId, ...crew.members.map(({ agentId }) => agentId)]) },
    });
    const names = new Map(members.map(({ id, name }) => [id, name]));
    const [problem] = crewProblems(crew, names.set(agent.id, agent.name));
    if (!problem) continue;
    const message = `the name ${agent.name} does not fit the crew ${crew.name}: ${problem.path}: ${problem.message}`;
    throw new DomainError('conflict', message);
  }
}

const isIn = ({ masterAgentId, members }: CrewShape, id: number): boolean =>
  masterAgentId === id || members.some(({ agentId }) => agentId === id);
