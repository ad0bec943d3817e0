import type { Message, Part } from '@netaclaw/contracts';
import type { StoredTurn } from '../../runtime/summary.js';

const REFUSED =
  '[An image was attached here. No model answered while it was sent, so it is left out.]';

/**
 * Leaves images out that a provider seems to refuse, because no session may be broken by one for ever:
 * those of a turn without any answer, once the turn after it, which was sent them too, had none either.
 * What is left out stays so, whatever comes later.
 */
export function withoutRefusedImages(turns: readonly StoredTurn[]): StoredTurn[] {
  return turns.map((turn, at) => {
    const next = turns[at + 1];
    if (next === undefined || hasAnswer(turn) || hasAnswer(next)) return turn;
    return { ...turn, messages: turn.messages.map(withoutImages) };
  });
}

const hasAnswer = ({ messages }: StoredTurn): boolean =>
  messages.some(({ role }) => role === 'assistant');

function withoutImages(message: Message): Message {
  if (message.role !== 'user' || typeof message.content === 'string') return message;
  return { role: 'user', content: message.content.map(inWords) };
}

const inWords = (part: Part): Part =>
  part.type === 'image' ? { type: 'text', text: REFUSED } : part;
