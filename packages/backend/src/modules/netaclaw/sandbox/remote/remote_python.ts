import { ComputerError, type PythonComponent, type PythonRequest } from '../components.js';
import type { PythonResult } from '../components.js';
import type { SandboxWire } from './wire.js';

const SHORTEST_MS = 1_000;

/** Runs code in the sandbox's own Python session. */
export class RemotePython implements PythonComponent {
  constructor(private readonly wire: SandboxWire) {}

  async run({ code, timeoutMs, signal }: PythonRequest): Promise<PythonResult> {
    const allowedMs = Math.max(SHORTEST_MS, Math.min(timeoutMs, this.wire.longestMs));
    const note = allowedMs < timeoutMs ? { allowedMs } : {};
    try {
      const seconds = Math.ceil(allowedMs / 1000);
      return { ...(await this.wire.code(code, { seconds, signal })), timedOut: false, ...note };
    } catch (error) {
      const isLate = error instanceof ComputerError && error.code === 'timeout';
      if (!isLate || signal.aborted) throw error;
      return { success: false, output: '', error: '', images: 0, timedOut: true, ...note };
    }
  }
}
