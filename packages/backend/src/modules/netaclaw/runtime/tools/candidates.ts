import { byOrder, type GovernedTool, type RegistrySnapshot } from './governed_tool.js';

export const CREW_TOOLSET = 'crew';

/** What says which tools come into question. */
export interface CandidateFacts {
  /** The agent's toolsets, or the defaults. */
  toolsets: readonly string[];
  crewMaster: boolean;
  /** The tools that delegate to the members of the crew in play, in order; its members are no rows of the registry. */
  crewTools: readonly GovernedTool[];
  registry: RegistrySnapshot;
}

/**
 * The tools of the agent's toolsets; a master delegates whatever toolsets it has. Each toolset is in
 * order already, so they are merged rather than sorted.
 */
export function candidatesOf({
  toolsets,
  crewMaster,
  crewTools,
  registry,
}: CandidateFacts): readonly GovernedTool[] {
  const names = new Set(crewMaster ? [...toolsets, CREW_TOOLSET] : toolsets);
  const members = [...names].map((toolset) => registry.inToolset(toolset));
  if (names.has(CREW_TOOLSET) && crewTools.length > 0) members.push(crewTools);
  return members.reduce(merge, []);
}

function merge(a: readonly GovernedTool[], b: readonly GovernedTool[]): readonly GovernedTool[] {
  if (a.length === 0) return b;
  const merged: GovernedTool[] = [];
  let at = 0;
  for (const tool of b) {
    for (let next = a[at]; next && byOrder(next, tool) <= 0; next = a[at]) {
      merged.push(next);
      at += 1;
    }
    merged.push(tool);
  }
  return merged.concat(a.slice(at));
}
