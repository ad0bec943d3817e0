import {
  toolsetNameSchema,
  type ToolChoice,
  type ToolsForAgent,
  type ToolsForAgentBody,
} from '@netaclaw/contracts';
import type { GovernedTool, RegistrySnapshot } from '../../runtime/tools/governed_tool.js';

/**
 * The toolsets with the tools an agent's editor chooses from: those that match, of them the asked page.
 * Pages count over the toolsets in their order; every total is of all that match. `broughtAlong` come
 * besides the chosen toolsets.
 */
export function toolChoices(
  registry: RegistrySnapshot,
  body: ToolsForAgentBody,
  broughtAlong: readonly string[],
): ToolsForAgent['toolsets'] {
  const isMeant = matcherOf(body);
  const isChosen = body.toolsets && new Set<string>(body.toolsets);
  const isBrought = new Set(broughtAlong);
  let before = 0;
  return toolsetNameSchema.options.map((name) => {
    const isWhole = isChosen?.has(name) ?? true;
    const found = registry
      .inToolset(name)
      .filter((tool) => (isWhole || isBrought.has(tool.name)) && isMeant(tool));
    const tools = pageOf(found, { before, ...body }).map(choiceOf);
    before += found.length;
    return { name, label: name, total: found.length, tools };
  });
}

function matcherOf({ names, except, keyWord = '' }: ToolsForAgentBody) {
  const only = names && new Set(names);
  const without = new Set(except);
  const word = keyWord.trim().toLowerCase();
  return (tool: GovernedTool): boolean =>
    tool.inCatalog &&
    (only?.has(tool.name) ?? true) &&
    !without.has(tool.name) &&
    (word === '' ||
      [tool.name, tool.label, tool.offered.description].some((text) =>
        text.toLowerCase().includes(word),
      ));
}

interface Window extends Pick<ToolsForAgentBody, 'page' | 'size'> {
  /** How many match in the toolsets before. */
  before: number;
}

function pageOf(found: readonly GovernedTool[], { before, page, size }: Window) {
  if (size === undefined) return found;
  const from = (page - 1) * size - before;
  return found.slice(Math.max(0, from), Math.max(0, from + size));
}

/** The operator's description stands in for the code's, as the registry has it. */
const choiceOf = (tool: GovernedTool): ToolChoice => ({
  name: tool.name,
  label: tool.label,
  description: tool.offered.description,
  capability: tool.capability,
  visibility: tool.visibility,
  isCore: tool.isCore,
  canDisable: tool.canDisable,
  status: tool.status,
  source: tool.source,
});
