import type {
  GovernedTool,
  RegistrySnapshot,
} from '../src/modules/netaclaw/runtime/tools/governed_tool.js';
import { byOrder } from '../src/modules/netaclaw/runtime/tools/governed_tool.js';

/** An ordinary tool of the toolset `base` that is turned on, but for what a test says. */
export const governedTool = (name: string, fields: Partial<GovernedTool> = {}): GovernedTool => ({
  name,
  label: name,
  toolset: 'base',
  source: 'builtin',
  visibility: 'tool',
  capability: 'text',
  isCore: false,
  canDisable: true,
  scene: null,
  adminOnly: false,
  inCatalog: true,
  status: 1,
  sort: 0,
  promptHint: null,
  offered: { name, description: `does ${name}`, parameters: {} },
  ...fields,
});

/** A registry of these tools. */
export function registryOf(...tools: GovernedTool[]): RegistrySnapshot {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return {
    version: '1',
    size: byName.size,
    get: (name) => byName.get(name),
    inToolset: (toolset) => tools.filter((tool) => tool.toolset === toolset).toSorted(byOrder),
  };
}
