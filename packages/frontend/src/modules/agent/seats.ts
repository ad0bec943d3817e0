import type { Crew, CrewRole } from '@netaclaw/contracts';

/** As what an agent can be previewed: by itself, or in a crew. */
export interface Seat {
  crewId: number;
  crewRole: CrewRole;
}

/** A seat with the name of its crew. */
export interface NamedSeat extends Seat {
  key: string;
  crew: string;
}

/** The places that an agent has in these crews. */
export function seatsOf(agentId: number, crews: readonly Crew[]): NamedSeat[] {
  const place = ({ masterAgentId, members }: Crew): CrewRole | null => {
    if (masterAgentId === agentId) return 'master';
    return members.some((member) => member.agentId === agentId) ? 'sub' : null;
  };
  return crews.flatMap((crew) => {
    const crewRole = place(crew);
    return crewRole === null
      ? []
      : [{ key: `${crew.id}`, crew: crew.name, crewId: crew.id, crewRole }];
  });
}
