import type {
  AgentTool,
  ToolCallContext,
  ToolOutput,
} from '../src/modules/netaclaw/runtime/port.js';
import type { ToolSet } from '../src/modules/netaclaw/runtime/tool_set.js';

/** What a test tool does with the arguments it was given. */
export type Behaviour = (
  input: unknown,
  context: ToolCallContext,
) => ToolOutput | Promise<ToolOutput>;

/** A tool that takes anything and does as it is told. */
export const toolThat = (
  name: string,
  does: Behaviour,
  fields: Partial<AgentTool> = {},
): AgentTool => ({
  name,
  sequential: false,
  timeoutMs: null,
  maxResultBytes: null,
  parse: (value) => ({ ok: true, value }),
  execute: async (input, context) => does(input, context),
  ...fields,
});

/** The tools of a run; `refusals` are the sentences for names that governance took out. */
export function toolSetOf(
  tools: readonly AgentTool[],
  refusals: Readonly<Record<string, string>> = {},
): ToolSet {
  return {
    offered: tools.map(({ name }) => ({ name, description: name, parameters: {} })),
    get: (name) => tools.find((tool) => tool.name === name),
    refusal: (name) => refusals[name] ?? `There is no tool "${name}" here.`,
  };
}
