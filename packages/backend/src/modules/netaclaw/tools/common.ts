import type { ToolOutput } from '../runtime/port.js';
import { ComputerError, type Computer } from '../sandbox/components.js';
import type { RunFacilities } from './source.js';

/** A result that worked. */
export const ok = (content: string): ToolOutput => ({ status: 'ok', content });

/** A result that did not; `content` says what failed, for what, and what to try. */
export const failed = (content: string): ToolOutput => ({ status: 'error', content });

type Work = (computer: Computer) => Promise<ToolOutput>;

/**
 * Does a tool's work on the session's computer; what the computer refuses becomes a failed result. Where the
 * computer turns out to be gone, nothing was done, and it is done on the new one; the result says that files are gone.
 */
export async function onComputer(
  facilities: RunFacilities,
  signal: AbortSignal,
  work: Work,
): Promise<ToolOutput> {
  const output = await doneOrFailed(() => workOn(facilities, signal, work));
  const notice = facilities.takeNotice?.() ?? null;
  return notice === null ? output : { ...output, content: `${notice}\n\n${output.content}` };
}

async function workOn(
  facilities: RunFacilities,
  signal: AbortSignal,
  work: Work,
): Promise<ToolOutput> {
  const computer = await facilities.computer(signal);
  try {
    return await work(computer);
  } catch (error) {
    if (!(error instanceof ComputerError) || error.code !== 'gone') throw error;
    const next = await facilities.computer(signal);
    if (next === computer) throw error;
    return work(next);
  }
}

async function doneOrFailed(work: () => Promise<ToolOutput>): Promise<ToolOutput> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ComputerError) return failed(error.message);
    throw error;
  }
}
