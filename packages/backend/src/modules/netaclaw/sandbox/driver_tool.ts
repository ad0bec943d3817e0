import type { ToolsetName } from '@netaclaw/contracts';
import type { z } from 'zod';
import type { Computer } from './components.js';

/** What a driver's own tool gives back. */
export interface DriverToolOutput {
  ok: boolean;
  /** What the model reads. */
  text: string;
}

/** The circumstances of one call. */
export interface DriverToolCall {
  signal: AbortSignal;
  timeoutMs: number;
}

/** A tool that only one kind of computer has. It becomes an ordinary tool of the catalog, with its driver as source. */
export interface DriverTool<P extends z.ZodObject = z.ZodObject> {
  name: string;
  toolset: ToolsetName;
  description: string;
  promptHint?: string;
  parameters: P;
  adminOnly?: boolean;
  run(computer: Computer, input: z.output<P>, call: DriverToolCall): Promise<DriverToolOutput>;
}

/** Gives a driver's own tool its types, and forgets them for the list. `run` gets what `parameters` has parsed. */
export const driverTool = <P extends z.ZodObject>(tool: DriverTool<P>): DriverTool => ({
  ...tool,
  run: (computer, input, call) => tool.run(computer, tool.parameters.parse(input), call),
});
