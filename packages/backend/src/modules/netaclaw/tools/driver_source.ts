import type { SandboxDriver } from '../sandbox/booter.js';
import type { DriverTool } from '../sandbox/driver_tool.js';
import { onComputer } from './common.js';
import type { AnyToolDefinition, ToolSource } from './source.js';

/** The tools that only this driver has, as a source of its own; null where it has none. */
export function driverSource({ kind, ownTools = [] }: SandboxDriver): ToolSource | null {
  if (ownTools.length === 0) return null;
  const definitions = ownTools.map(definitionOf);
  return {
    name: kind,
    declare: () => definitions,
    // Whether a session's computer has them is a fact of the computer, not of the source.
    offer: () => null,
    unavailable: () => new Map(),
  };
}

/** The driver parses the arguments once more itself, since its list has forgotten their type. */
const definitionOf = (tool: DriverTool): AnyToolDefinition => ({
  schema: {
    name: tool.name,
    toolset: tool.toolset,
    description: tool.description,
    parameters: tool.parameters,
    scene: 'computer',
    ...(tool.promptHint === undefined ? {} : { promptHint: tool.promptHint }),
    ...(tool.adminOnly === undefined ? {} : { adminOnly: tool.adminOnly }),
  },
  sequential: true,
  create: (facilities) => (input, context) =>
    onComputer(facilities, context.signal, async (computer) => {
      const { ok, text } = await tool.run(computer, input, context);
      return { status: ok ? 'ok' : 'error', content: text };
    }),
});
