import { availableParallelism, release } from 'node:os';

/** What one command and everything it starts may use. */
export interface CommandLimits {
  /** Processes and threads together. */
  processes: number;
  /** Memory of all processes together, and of any one of them, in bytes. */
  memoryBytes: number;
  /** The largest file that may be written, in bytes. */
  fileBytes: number;
  /** Space in each of the private memory folders, `/tmp` and `/dev/shm`, in bytes. */
  scratchBytes: number;
}

const MIB = 1024 * 1024;

/** Enough to build and test an ordinary project, too little to take a machine down. */
export const DEFAULT_COMMAND_LIMITS: CommandLimits = {
  processes: 256,
  memoryBytes: 2048 * MIB,
  fileBytes: 512 * MIB,
  scratchBytes: 256 * MIB,
};

/**
 * A shell text that sets the limits the kernel enforces by itself, then becomes `bash -c "$1"`.
 *
 * The data segment is limited, not the address space: V8 and others reserve address space that they never
 * use. The number of processes is limited only where the kernel counts them per user namespace; elsewhere
 * it counts all of the user's processes, the server's among them. It is the second line behind the watch, and
 * so set higher. Everything yields to the server (`nice`).
 */
export function limitingPrelude(
  limits: CommandLimits,
  options: { timeoutMs: number; ownNamespace: boolean },
): string {
  const cpuSeconds = Math.ceil(options.timeoutMs / 1000) * availableParallelism() + 10;
  const settings = [
    'c 0',
    'n 1024',
    `t ${cpuSeconds}`,
    `d ${Math.ceil(limits.memoryBytes / 1024)}`,
    `f ${Math.ceil(limits.fileBytes / 1024)}`,
    ...(options.ownNamespace && countsPerNamespace(release()) ? [`u ${limits.processes * 2}`] : []),
  ];
  // A limit that cannot be set is already lower than asked for.
  const lines = settings.map((setting) => `ulimit -${setting} 2>/dev/null`);
  return [...lines, 'exec nice -n 10 bash -c "$1"'].join('\n');
}

/** Linux counts processes per user namespace since 5.14. */
export function countsPerNamespace(kernelRelease: string): boolean {
  const [major = 0, minor = 0] = kernelRelease.split('.').map((part) => Number.parseInt(part, 10));
  return major > 5 || (major === 5 && minor >= 14);
}
