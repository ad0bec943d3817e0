import { crewTarget, type AgentListItem, type Crew, type Session } from '@netaclaw/contracts';

/** Who is talked to: an agent, or a crew through its master. */
export interface Partner {
  /** How the address and the server's lists name it: an agent's name, or `crew:` and a crew's. */
  target: string;
  label: string;
  isOn: boolean;
  /** The agent that answers. */
  agentId: number;
  crewId: number | null;
}

/** Everyone there is to talk to, crews first. */
export const partnersOf = (agents: readonly AgentListItem[], crews: readonly Crew[]): Partner[] => [
  ...crews.map(({ id, name, label, status, masterAgentId }) => ({
    target: crewTarget(name),
    label: label || name,
    isOn: status === 1,
    agentId: masterAgentId,
    crewId: id,
  })),
  ...agents.map(({ id, name, label, status }) => ({
    target: name,
    label: label || name,
    isOn: status === 1,
    agentId: id,
    crewId: null,
  })),
];

/** The one that is asked for, else the first agent that is turned on. */
export function chosenPartner(partners: readonly Partner[], target: unknown): Partner | null {
  const usable = partners.filter(({ isOn }) => isOn);
  const asked = usable.find((partner) => partner.target === target);
  return asked ?? usable.find(({ crewId }) => crewId === null) ?? usable[0] ?? null;
}

const CREW_TARGET = crewTarget('');

/** Whom a turn goes to, as the chat takes it. */
export const addresseeOf = (target: string): { agent: string } | { crew: string } =>
  target.startsWith(CREW_TARGET) ? { crew: target.slice(CREW_TARGET.length) } : { agent: target };

/** Whom a session was with. */
export const targetOf = ({ agent, crew }: Pick<Session, 'agent' | 'crew'>): string =>
  crew === null ? agent : crewTarget(crew);
