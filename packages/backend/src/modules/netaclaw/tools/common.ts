import type { ToolOutput } from '../runtime/port.js';
import { ComputerError, type Computer } from '../sandbox/components.js';
import type { RunFacilities } from './source.js';

/** A result that worked. */
export const ok = (content: string): ToolOutput => ({ status: 'ok', content });

/** A result that did not; `content` says what failed, for what, and what to try. */
export const failed = (content: string): ToolOutput => ({ status: 'error', content });

/** Does a tool's work on the session's computer; what the computer refuses becomes a failed result. */
export async function onComputer(
  facilities: RunFacilities,
  signal: AbortSignal,
  work: (computer: Computer) => Promise<ToolOutput>,
): Promise<ToolOutput> {
  try {
    return await work(await facilities.computer(signal));
  } catch (error) {
    if (error instanceof ComputerError) return failed(error.message);
    throw error;
  }
}
