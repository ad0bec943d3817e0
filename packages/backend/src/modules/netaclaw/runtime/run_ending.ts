import type { AssistantMessage, EndStatus } from '@netaclaw/contracts';
import type { ModelAnswer, StopReason } from './port.js';

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
  /** The model stopped at its limit of output: the reply is cut off. */
  truncated?: true;
}

/** An answer without calls ends the run; one without text either is a failure that says so. */
export function answerEnding({ stopReason }: ModelAnswer, { content }: AssistantMessage): Ending {
  if (content.trim() !== '') {
    const cut = stopReason === 'length' ? { truncated: true as const } : {};
    return { status: 'completed', error: null, reply: content, ...cut };
  }
  return { status: 'failed', error: whyEmpty(stopReason), reply: '' };
}

function whyEmpty(stopReason: StopReason): string {
  switch (stopReason) {
    case 'content_filter':
      return "The model's provider withheld the answer (content filter).";
    case 'length':
      return "The model reached its limit of output before it said anything. Raise the channel's max output tokens.";
    default:
      return 'The model answered with neither text nor a tool call.';
  }
}

/** The sentence of whatever was thrown; never empty. */
export function sentenceOf(error: unknown): string {
  const message = error instanceof Error ? error.message.trim() : '';
  return message === '' ? 'The run failed without saying why.' : message;
}
