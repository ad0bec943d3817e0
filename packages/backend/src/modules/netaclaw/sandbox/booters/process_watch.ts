import { readdirSync, readFileSync } from 'node:fs';
import type { CommandLimits } from './command_limits.js';

/** What all processes of a command use together. */
export interface ProcessUse {
  /** Processes and threads. */
  threads: number;
  memoryBytes: number;
}

const INTERVAL_MS = 50;

/**
 * Looks at a command's processes at short intervals and calls `onExcess` once, with a sentence, when they
 * use more than their limits. This is what holds where the kernel's own limits do not bind: they do not
 * count root's processes, and none of them adds up memory over processes. Returns a function that stops it.
 */
export function watchProcesses(
  measure: (enough: number) => ProcessUse,
  limits: CommandLimits,
  onExcess: (sentence: string) => void,
): () => void {
  const timer = setInterval(() => {
    const sentence = describeExcess(measure(limits.processes), limits);
    if (sentence === null) return;
    clearInterval(timer);
    onExcess(sentence);
  }, INTERVAL_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Says which limit is exceeded; null while all is well. */
export function describeExcess(
  use: ProcessUse,
  limits: Pick<CommandLimits, 'processes' | 'memoryBytes'>,
): string | null {
  if (use.threads > limits.processes) {
    return `it had more than ${limits.processes} processes and threads at once`;
  }
  if (use.memoryBytes > limits.memoryBytes) {
    return `it used more than ${Math.round(limits.memoryBytes / 1024 / 1024)} MiB of memory`;
  }
  return null;
}

/**
 * Adds up a process and its descendants. In a process namespace none can leave this tree. Stops early once
 * `enough` threads are found. A system without `/proc` gives zeros.
 */
export function measureTree(pid: number, enough: number): ProcessUse {
  const use: ProcessUse = { threads: 0, memoryBytes: 0 };
  const open = [pid];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const threads = addUse(use, next);
    if (use.threads > enough) break;
    for (const thread of threads) open.push(...childrenOf(next, thread));
  }
  return use;
}

/** Adds up a session's processes, whoever their parents are by now. */
export function measureSession(session: number, enough: number): ProcessUse {
  const use: ProcessUse = { threads: 0, memoryBytes: 0 };
  for (const pid of listSession(session)) {
    addUse(use, pid);
    if (use.threads > enough) break;
  }
  return use;
}

/** The processes of a session; none on a system without `/proc`. */
export function listSession(session: number): number[] {
  const names = orNull(() => readdirSync('/proc')) ?? [];
  return names.map(Number).filter((pid) => pid > 0 && sessionOf(pid) === session);
}

/** True when this kernel lists the children of a process, which the watch depends on. */
export const canWatchProcesses = (): boolean =>
  orNull(() => readFileSync(`/proc/${process.pid}/task/${process.pid}/children`)) !== null;

function addUse(use: ProcessUse, pid: number): string[] {
  const threads = orNull(() => readdirSync(`/proc/${pid}/task`)) ?? [];
  use.threads += threads.length;
  use.memoryBytes += memoryOf(pid);
  return threads;
}

function childrenOf(pid: number, thread: string): number[] {
  const text = orNull(() => readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1')) ?? '';
  return text
    .split(' ')
    .map(Number)
    .filter((child) => child > 0);
}

/** The fields after the name, which may itself hold spaces and brackets: state, parent, group, session. */
function sessionOf(pid: number): number | null {
  const text = orNull(() => readFileSync(`/proc/${pid}/stat`, 'latin1'));
  return text === null ? null : Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[3]);
}

/** Private and shared memory of a process, swapped out or not; the pages of files do not count. */
function memoryOf(pid: number): number {
  const status = orNull(() => readFileSync(`/proc/${pid}/status`, 'latin1')) ?? '';
  const kibibytes = [...status.matchAll(/^(?:RssAnon|RssShmem|VmSwap):\s*(\d+) kB$/gm)];
  return kibibytes.reduce((sum, [, amount]) => sum + Number(amount) * 1024, 0);
}

/** A process may be gone at any moment; that is no error. */
function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
