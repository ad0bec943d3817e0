import type { AgentTool, OfferedTool } from './port.js';

/**
 * The tools of a run at one moment. What the model is offered and what can be executed are the same
 * set, and nothing outside it can be.
 */
export interface ToolSet {
  readonly offered: readonly OfferedTool[];
  get(name: string): AgentTool | undefined;
  /** The sentence for a name outside the set: why it is not there, or that there is no such tool. */
  refusal(name: string): string;
}
