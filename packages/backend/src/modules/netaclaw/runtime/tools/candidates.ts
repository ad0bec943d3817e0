import { byOrder, type GovernedTool, type RegistrySnapshot } from './governed_tool.js';

export const CREW_TOOLSET = 'crew';

/** What says which tools come into question. */
export interface CandidateFacts {
  /** The agent's toolsets, or the defaults. */
  toolsets: readonly string[];
  crewMaster: boolean;
  /** The tools that delegate to the members of the crew in play, in order; its members are no rows of the registry. */
  crewTools: readonly GovernedTool[];
  /** Names that the agent's computer brings along for an agent that made no choice of toolsets. */
  computerTools?: readonly string[];
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
  computerTools = [],
  registry,
}: CandidateFacts): readonly GovernedTool[] {
  const names = new Set(crewMaster ? [...toolsets, CREW_TOOLSET] : toolsets);
  const members = [...names].map((toolset) => registry.inToolset(toolset));
  if (names.has(CREW_TOOLSET) && crewTools.length > 0) members.push(crewTools);
  if (computerTools.length > 0) members.push(broughtAlong(computerTools, names, registry));
  return members.reduce(merge, []);
}

/** In order, and without those that come with a toolset already. */
function broughtAlong(
  computerTools: readonly string[],
  toolsets: ReadonlySet<string>,
  registry: RegistrySnapshot,
): readonly GovernedTool[] {
  return computerTools
    .flatMap((name) => registry.get(name) ?? [])
    .filter(({ toolset }) => !toolsets.has(toolset))
    .toSorted(byOrder);
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
