import type { z } from 'zod';
import type { ToolCallContext, ToolOutput } from '../src/modules/netaclaw/runtime/port.js';
import type { Computer } from '../src/modules/netaclaw/sandbox/components.js';
import type { RunFacilities, ToolDefinition } from '../src/modules/netaclaw/tools/source.js';

/** What a tool gets in a test: a computer, or a reason why there is none. */
export const facilitiesWith = (computer: () => Promise<Computer>): RunFacilities => ({
  sessionId: 'session',
  runId: 'run',
  clock: () => 0,
  computer,
  delegate: null,
  memory: { save: noMemory, search: noMemory, forget: noMemory },
  skills: { list: () => [], read: async () => ({ found: false, problem: 'There are none.' }) },
});

const noMemory = () => Promise.reject(new Error('no memory needed'));

/** Calls a tool as the loop does: arguments parsed by its schema, then executed. */
export async function callTool<P extends z.ZodObject>(
  tool: ToolDefinition<P>,
  values: unknown,
  options: { facilities?: RunFacilities; context?: Partial<ToolCallContext> } = {},
): Promise<ToolOutput> {
  const facilities =
    options.facilities ?? facilitiesWith(() => Promise.reject(new Error('no computer needed')));
  return tool.create(facilities)(tool.schema.parameters.parse(values), {
    callId: 'call',
    signal: new AbortController().signal,
    timeoutMs: 60_000,
    ...options.context,
  });
}
