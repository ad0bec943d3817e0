import { runEventSchema, type RunEvent } from '@netaclaw/contracts';
import { createParser } from 'eventsource-parser';
import { isAbort, RequestFailure } from '../../failure.js';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8000;

/** How a run is reached, and who hears of it. */
export interface Following {
  /** Begins the run, or joins it again by its request id. */
  start: (signal: AbortSignal) => Promise<Response>;
  /** The run's events after `seq`. */
  resume: (runId: string, seq: number, signal: AbortSignal) => Promise<Response>;
  /** Known from the start when a page finds its run again. */
  runId?: string;
  onEvent: (event: RunEvent) => void;
  onConnection: (connected: boolean) => void;
  signal: AbortSignal;
  /** Waits between attempts. */
  pause?: (milliseconds: number) => Promise<void>;
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
      const response = await (runId === null
        ? following.start(signal)
        : following.resume(runId, last, signal));
      onConnection(true);
      for await (const event of readEvents(response)) {
        runId = event.runId;
        if (event.seq <= last) continue;
        last = event.seq;
        attempt = 0;
        onEvent(event);
        if (event.type === 'run-end') return;
      }
    } catch (error) {
      if (!isLoss(error) || signal.aborted) throw error;
    }
    onConnection(false);
    await pause(Math.min(FIRST_PAUSE_MS * 2 ** attempt, LONGEST_PAUSE_MS));
    signal.throwIfAborted();
  }
}

/** The events of a response as they come. Ends when the stream does, whether or not the run has. */
export async function* readEvents(response: Response): AsyncGenerator<RunEvent> {
  if (!response.body) return;
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  const found: RunEvent[] = [];
  const parser = createParser({
    onEvent: ({ data }) => found.push(runEventSchema.parse(JSON.parse(data))),
  });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      yield* found.splice(0);
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** Browsers report a broken stream as a TypeError. */
function isLoss(error: unknown): boolean {
  if (isAbort(error)) return false;
  if (error instanceof RequestFailure) return error.kind === 'network' || error.kind === 'notReady';
  return error instanceof TypeError;
}

const wait = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));
