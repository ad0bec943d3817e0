import type { RunEvent } from '@netaclaw/contracts';
import { toFailure } from '../../failure.js';

/** What stopping needs of the turn that is followed. */
export interface StoppedTurn {
  /** Null until the server has said which run it is. */
  runId: () => string | null;
  /** No connection at the moment. */
  isLost: () => boolean;
  cancel: (runId: string) => Promise<unknown>;
}

/** Stops a turn at any time: before its run is known, and while the server cannot be reached, too. */
export interface Stopping {
  /** A turn begins; the signal gives it up. */
  begin: () => AbortSignal;
  stop: () => Promise<void>;
  /** An event of the turn has come. */
  heard: (event: Pick<RunEvent, 'type' | 'runId'>) => void;
  /** The connection is lost. */
  lost: () => void;
}

/**
 * A run that is known is cancelled; where that fails for want of a connection, with its next event. One
 * that is not known yet is cancelled as soon as it is, and without a connection nothing more is sent.
 */
export function stopping({ runId, isLost, cancel }: StoppedTurn): Stopping {
  let controller = new AbortController();
  let isWanted = false;

  async function cancelNow(id: string): Promise<void> {
    isWanted = false;
    try {
      await cancel(id);
    } catch (error) {
      isWanted = toFailure(error).kind === 'network';
      throw error;
    }
  }

  return {
    begin() {
      isWanted = false;
      controller = new AbortController();
      return controller.signal;
    },
    async stop() {
      isWanted = true;
      const id = runId();
      if (id !== null) await cancelNow(id);
      else if (isLost()) controller.abort();
    },
    heard({ type, runId: id }) {
      // Without a connection the next event tries again; a run that ended meanwhile needs no cancelling.
      if (isWanted && type !== 'run-end') cancelNow(id).catch(() => {});
    },
    lost() {
      if (isWanted && runId() === null) controller.abort();
    },
  };
}
