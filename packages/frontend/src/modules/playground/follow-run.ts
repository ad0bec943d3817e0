import type { RunEvent } from '@netaclaw/contracts';
import { isAbort, RequestFailure } from '../../failure.js';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8000;

/** How a run is reached, and who hears of it. */
export interface Following {
  /** Begins the run, or joins it again by its request id. */
  start: (signal: AbortSignal) => AsyncIterable<RunEvent>;
  /** The run's events after `seq`. */
  resume: (runId: string, seq: number, signal: AbortSignal) => AsyncIterable<RunEvent>;
  /** Known from the start when a page finds its run again. */
  runId?: string;
  onEvent: (event: RunEvent) => void;
  onConnection: (connected: boolean) => void;
  signal: AbortSignal;
  /** Waits between attempts. */
  pause?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/**
 * Hears a run to its end, through lost connections: goes on after the last event it has, so that none
 * is lost and none comes twice. Rejects when the server refuses.
 */
export async function followRun(following: Following): Promise<void> {
  const { onEvent, onConnection, signal, pause = wait } = following;
  let runId = following.runId ?? null;
  let last = 0;
  for (let attempt = 0; ; attempt += 1) {
    try {
      const events =
        runId === null ? following.start(signal) : following.resume(runId, last, signal);
      for await (const event of events) {
        onConnection(true);
        runId = event.runId;
        // The end of a run that was lost with its process may have a number that was heard before.
        if (event.seq <= last && event.type !== 'run-end') continue;
        last = event.seq;
        attempt = 0;
        onEvent(event);
        if (event.type === 'run-end') return;
      }
    } catch (error) {
      if (!isLoss(error) || signal.aborted) throw error;
    }
    onConnection(false);
    await pause(Math.min(FIRST_PAUSE_MS * 2 ** attempt, LONGEST_PAUSE_MS), signal);
    signal.throwIfAborted();
  }
}

function isLoss(error: unknown): boolean {
  if (isAbort(error) || !(error instanceof RequestFailure)) return false;
  return error.kind === 'network' || error.kind === 'notReady';
}

/** Over at once when it is given up. */
const wait = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(done, milliseconds);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done);
    if (signal.aborted) done();
  });
