import type { Message } from '@netaclaw/contracts';

/** Characters of scripts without spaces: about one token each. */
const dense = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\u3040-\u30ff]/g;
const CHARACTERS_PER_TOKEN = 4;
const MESSAGE_OVERHEAD = 4;

/** About how many tokens a text has: good enough for a budget, not for a bill. */
export function estimateTokens(text: string): number {
  const denseCount = text.match(dense)?.length ?? 0;
  return Math.ceil(denseCount + (text.length - denseCount) / CHARACTERS_PER_TOKEN);
}

const known = new WeakMap<Message, number>();

/** The same for a message, counted once per message object. */
export function estimateMessageTokens(message: Message): number {
  const cached = known.get(message);
  if (cached !== undefined) return cached;
  const count = MESSAGE_OVERHEAD + estimateTokens(textOf(message));
  known.set(message, count);
  return count;
}

function textOf(message: Message): string {
  if (message.role === 'assistant') {
    const calls = message.toolCalls ?? [];
    return message.content + calls.map((call) => call.name + call.arguments).join('');
  }
  if (typeof message.content === 'string') return message.content;
  return message.content
    .map((part) => (part.type === 'text' ? part.text : ' '.repeat(4000)))
    .join('');
}
