import type { Message } from '@netaclaw/contracts';
import { estimateTokens } from './estimate.js';
import type { OfferedTool } from './port.js';

/** How many tokens a text has. */
export type CountTokens = (text: string) => number;

/** Counts what goes to one kind of model. Each object is counted once: a changed message must be a new one. */
export interface TokenMeter {
  ofMessage(message: Message): number;
  ofTool(tool: OfferedTool): number;
}

const MESSAGE_OVERHEAD = 4;
/** About what providers charge for a picture of ordinary size. */
const IMAGE_TOKENS = 1000;
/** No text has more tokens than its UTF-8 has bytes, and no UTF-16 unit takes more of these. */
const BYTES_PER_UNIT = 3;

/** Makes a meter of a way to count. Keep it: what it has counted is kept with it. */
export function tokenMeter(count: CountTokens): TokenMeter {
  const messages = new WeakMap<Message, number>();
  const tools = new WeakMap<OfferedTool, number>();
  return {
    ofMessage: (message) => once(messages, message, () => countMessage(message, count)),
    ofTool: (tool) => once(tools, tool, () => countTool(tool, count)),
  };
}

/** For models whose tokenizer is not known. */
export const ESTIMATE: TokenMeter = tokenMeter(estimateTokens);

/** More tokens than a message can have, found without counting. */
export const atMostTokens = (message: Message): number =>
  MESSAGE_OVERHEAD +
  imagesIn(message) * IMAGE_TOKENS +
  textsOf(message).reduce((sum, text) => sum + text.length * BYTES_PER_UNIT, 0);

function once<K extends object>(kept: WeakMap<K, number>, key: K, count: () => number): number {
  const known = kept.get(key);
  if (known !== undefined) return known;
  const counted = count();
  kept.set(key, counted);
  return counted;
}

const countMessage = (message: Message, count: CountTokens): number =>
  MESSAGE_OVERHEAD +
  imagesIn(message) * IMAGE_TOKENS +
  textsOf(message).reduce((sum, text) => sum + count(text), 0);

const countTool = ({ name, description, parameters }: OfferedTool, count: CountTokens): number =>
  MESSAGE_OVERHEAD + count(name + description) + count(JSON.stringify(parameters));

function textsOf(message: Message): string[] {
  if (message.role === 'assistant') {
    const calls = (message.toolCalls ?? []).map((call) => call.name + call.arguments);
    return [message.content, ...calls];
  }
  if (typeof message.content === 'string') return [message.content];
  return message.content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
}

const imagesIn = ({ content }: Message): number =>
  typeof content === 'string' ? 0 : content.filter(({ type }) => type !== 'text').length;
