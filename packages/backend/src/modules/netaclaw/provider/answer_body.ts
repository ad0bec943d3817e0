import { createParser } from 'eventsource-parser';
import type { ReadAnswer, StreamReader } from '../runtime/provider/answer_reader.js';
import type { EventInbox } from './event_inbox.js';

/** Takes the text of a response as it comes. */
export interface AnswerBody {
  chunk(text: string): void;
  /** A call of the answer has begun: asking again would begin it a second time. */
  readonly hasCalls: boolean;
  /** The response is over. */
  end(): void;
  /** The connection broke. What has come may be enough; if not, nothing is reported from here. */
  broken(): void;
}

/** How one protocol's answers are read. */
export interface AnswerFormat {
  streamReader(): StreamReader;
  readWhole(text: string): ReadAnswer;
}

/** Where the answer goes, and how a problem is reported. */
export interface AnswerTarget {
  inbox: EventInbox;
  fail(problem: string): void;
  /** Something of the answer has come, not only a sign that the connection lives. */
  progress(): void;
}

/** An event that some providers send while they have nothing to say; others send comments. */
const KEEP_ALIVE = 'ping';

/** The time to parse a line grows with the square of its length. */
const MAX_LINE = 4 * 1024 * 1024;

/** Server-sent events, given to the protocol's reader one by one. */
export function streamedBody(reader: StreamReader, target: AnswerTarget): AnswerBody {
  const parser = createParser({
    onEvent({ event, data }) {
      if (target.inbox.isSettled || event === KEEP_ALIVE) return;
      target.progress();
      const problem = reader.read(data, target.inbox);
      if (problem !== null) target.fail(problem);
      else if (reader.isDone) settle(reader.finish(), target);
    },
  });
  let lineLength = 0;
  return {
    get hasCalls() {
      return reader.hasCalls;
    },
    chunk(text) {
      const newline = text.lastIndexOf('\n');
      lineLength = newline < 0 ? lineLength + text.length : text.length - newline - 1;
      if (lineLength > MAX_LINE) target.fail('a line of the stream is longer than 4 MiB');
      else parser.feed(text);
    },
    end() {
      parser.feed('\n\n'); // some servers leave out the blank line after their last event
      settle(reader.finish(), target);
    },
    broken() {
      const read = reader.finish();
      if (read.ok) settle(read, target);
    },
  };
}

/** One document, read when it is complete. */
export function wholeBody(read: (text: string) => ReadAnswer, target: AnswerTarget): AnswerBody {
  let text = '';
  return {
    hasCalls: false,
    chunk(piece) {
      if (piece.trim() !== '') target.progress();
      text += piece;
    },
    end: () => settle(read(text), target),
    broken() {},
  };
}

/** No secret is longer: one that begins before a cut is complete before masking. */
const LONGEST_SECRET = 4096;

/**
 * An answer that is none: its first characters are handed to `report`, however it ends; with some more
 * behind `maxLength`, so that secrets can be masked before it is cut there.
 */
export function refusedBody(report: (text: string) => void, maxLength: number): AnswerBody {
  let text = '';
  const enough = maxLength + LONGEST_SECRET;
  const finish = () => report(text.slice(0, enough));
  return {
    hasCalls: false,
    chunk(piece) {
      text += piece;
      if (text.length >= enough) finish();
    },
    end: finish,
    broken: finish,
  };
}

function settle(read: ReadAnswer, target: AnswerTarget): void {
  if (read.ok) target.inbox.complete(read.answer);
  else target.fail(read.problem);
}
