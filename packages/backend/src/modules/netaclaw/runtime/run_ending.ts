import type { AssistantMessage, EndStatus } from '@netaclaw/contracts';
import type { ModelAnswer } from './port.js';

/** The reasons for which a run's signal is aborted. */
export class RunCancelled extends Error {
  override readonly name = 'RunCancelled';
}
export class RunTimedOut extends Error {
  override readonly name = 'RunTimedOut';
}

/** How a run ends, and with which words. */
export interface Ending {
  status: EndStatus;
  error: string | null;
  reply: string;
}

/** An answer without calls ends the run; one without text either is a failure that says so. */
export function answerEnding({ stopReason }: ModelAnswer, { content }: AssistantMessage): Ending {
  if (content.trim() !== '') return { status: 'completed', error: null, reply: content };
  const why =
    stopReason === 'content_filter'
      ? "The model's provider withheld the answer (content filter)."
      : 'The model answered with neither text nor a tool call.';
  return { status: 'failed', error: why, reply: '' };
}

/** The sentence of whatever was thrown; never empty. */
export function sentenceOf(error: unknown): string {
  const message = error instanceof Error ? error.message.trim() : '';
  return message === '' ? 'The run failed without saying why.' : message;
}
