import type { ModelAnswer } from '../port.js';

/** Takes a streamed answer's pieces as they are read. */
export interface DeltaSink {
  text(text: string): void;
  reasoning(text: string): void;
}

/** The whole answer, or a sentence for people that says what came instead of one. */
export type ReadAnswer = { ok: true; answer: ModelAnswer } | { ok: false; problem: string };

/**
 * Reads one streamed answer of one protocol. `read` takes the data of each server-sent event and
 * returns a sentence when it is an error or nonsense, which ends the reading. `finish` is asked once,
 * when the stream is over. Neither throws. Sentences are not cut, and may still hold secrets.
 */
export interface StreamReader {
  /** The protocol's own end was read; what follows does not matter. */
  readonly isDone: boolean;
  /** A call has begun, which shows in no delta. */
  readonly hasCalls: boolean;
  read(data: string, sink: DeltaSink): string | null;
  finish(): ReadAnswer;
}

/** Gives an id to a call that came without one; never the same twice. */
export type NewCallId = () => string;

export const ANSWERED_NOTHING = 'the provider answered with nothing';
export const BROKE_OFF = 'the stream broke off before the answer was complete';
