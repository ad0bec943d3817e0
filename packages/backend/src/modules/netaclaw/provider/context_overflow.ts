import { ModelError } from '../runtime/port.js';

/** How providers say that a request is longer than the model's window. */
const SENTENCES: readonly RegExp[] = [
  /context_length_exceeded|context_window_exceeded|ContextWindowExceeded|request_too_large/i,
  /prompt is too long|input is too long|prompt too long|request too large for model/i,
  /(maximum|max|available|model'?s?) (context|prompt|input) (length|size|window)/i,
  /exceeds? (the )?(model'?s? |available |max(imum)? )*(context|input token|number of (input )?tokens)/i,
  /(larger|longer) than (the )?(maximum |model'?s? )*context/i,
  /reduce the length of (the )?(messages|prompt|input)/i,
  /range of input length should be/i,
  /too many (input )?tokens/i,
];

/** 429 is about how fast one asks, 5xx about the server. */
const couldBeLength = (status: number | null): boolean =>
  status === null || status === 400 || status === 413 || status === 422;

/** True when a provider refused a request since it is longer than its model takes. */
export function isContextOverflow(error: unknown): error is ModelError {
  if (!(error instanceof ModelError) || error.hasBegun) return false;
  if (error.status === 413) return true;
  return couldBeLength(error.status) && SENTENCES.some((words) => words.test(error.message));
}
