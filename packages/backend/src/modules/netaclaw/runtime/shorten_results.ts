import type { Message, ToolMessage } from '@netaclaw/contracts';
import { shortenResult } from './result_cap.js';

/** A result is not made shorter than this: what is left would say nothing. */
const LEAST_BYTES = 512;

/** Made once for each length, so that it is the same message in every request of the turn. */
const made = new WeakMap<ToolMessage, Map<number, ToolMessage>>();

/** The messages with their longest tool results shortened until they fit, or none can give more. */
export function shortenResults(
  messages: readonly Message[],
  fits: (messages: readonly Message[]) => boolean,
): readonly Message[] {
  let shown = messages;
  let most = longestResult(messages);
  while (most > LEAST_BYTES && !fits(shown)) {
    most = Math.max(LEAST_BYTES, Math.floor(most / 2));
    const limit = most;
    shown = messages.map((message) => (message.role === 'tool' ? atMost(message, limit) : message));
  }
  return shown;
}

const longestResult = (messages: readonly Message[]): number =>
  Math.max(
    0,
    ...messages.map((message) =>
      message.role === 'tool' ? Buffer.byteLength(message.content) : 0,
    ),
  );

function atMost(message: ToolMessage, bytes: number): ToolMessage {
  if (Buffer.byteLength(message.content) <= bytes) return message;
  const known = made.get(message) ?? new Map<number, ToolMessage>();
  made.set(message, known);
  const shortened = known.get(bytes) ?? {
    ...message,
    content: shortenResult(message.content, bytes),
  };
  known.set(bytes, shortened);
  return shortened;
}
