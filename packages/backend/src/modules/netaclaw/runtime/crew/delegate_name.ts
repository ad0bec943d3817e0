import { TOOL_NAME_PATTERN, type CrewMember, type Problem } from '@netaclaw/contracts';

const DELEGATE_PREFIX = 'delegate_';

/** A member as far as its tool's name depends on it; `agentName` null: there is no such agent. */
export interface NamedMember {
  alias: string | null;
  agentName: string | null;
}

/** What a master and the events call a member: its alias, else its agent's name. */
export const memberNameOf = ({ alias, agentName }: NamedMember): string => alias ?? agentName ?? '';

/** The tool that delegates to a member. */
export const delegateToolName = (memberName: string): string =>
  DELEGATE_PREFIX + memberName.replaceAll('-', '_');

/** What of a crew its rules look at. */
export interface CrewShape {
  masterAgentId: number;
  members: readonly CrewMember[];
}

/** Every wrong place in a crew, with the names of the agents there are, by id. Pure. */
export function crewProblems(crew: CrewShape, agentNames: ReadonlyMap<number, string>): Problem[] {
  const { masterAgentId, members } = crew;
  const unknownMaster = agentNames.has(masterAgentId)
    ? []
    : [{ path: 'masterAgentId', message: `there is no agent ${masterAgentId}` }];
  const seen: Seen = { agents: new Map(), tools: new Map() };
  const ofMembers = members.flatMap((member, index) => {
    const path = `members.${index}`;
    const problem =
      agentProblem(member, { masterAgentId, agentNames, seen, path }) ??
      nameProblem(member, { agentNames, seen, path });
    return problem ? [problem] : [];
  });
  return [...unknownMaster, ...ofMembers];
}

/** Of the members before: their agents and their tools, with where they stand. */
interface Seen {
  agents: Map<number, string>;
  tools: Map<string, string>;
}
interface MemberFacts {
  agentNames: ReadonlyMap<number, string>;
  seen: Seen;
  path: string;
}

function agentProblem(
  { agentId }: CrewMember,
  { masterAgentId, agentNames, seen, path }: MemberFacts & { masterAgentId: number },
): Problem | null {
  const at = `${path}.agentId`;
  if (!agentNames.has(agentId)) return { path: at, message: `there is no agent ${agentId}` };
  if (agentId === masterAgentId) {
    return { path: at, message: "a crew's master cannot be a member of it" };
  }
  const before = seen.agents.get(agentId);
  if (before !== undefined) return { path: at, message: `this agent is ${before} already` };
  seen.agents.set(agentId, path);
  return null;
}

function nameProblem(
  { agentId, alias }: CrewMember,
  { agentNames, seen, path }: MemberFacts,
): Problem | null {
  const at = `${path}.alias`;
  const agentName = agentNames.get(agentId) ?? null;
  const tool = delegateToolName(memberNameOf({ alias: alias ?? null, agentName }));
  if (!TOOL_NAME_PATTERN.test(tool)) {
    return { path: at, message: `the name ${agentName} is too long for a tool; give an alias` };
  }
  const before = seen.tools.get(tool);
  if (before !== undefined) {
    return { path: at, message: `its tool would be ${tool}, as that of ${before}; give an alias` };
  }
  seen.tools.set(tool, path);
  return null;
}
