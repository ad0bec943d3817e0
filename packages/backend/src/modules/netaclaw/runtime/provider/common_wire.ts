import type { Message } from '@netaclaw/contracts';
import { isJsonObject, parseJson } from './json_value.js';
import { wireName } from './tool_fit.js';

const EMPTY_RESULT = '(no output)';

/** What is said when a conversation does not end with a user or tool turn, which many servers refuse. */
export const CONTINUE = 'Continue.';

/** A system message that does not lead, as the words of a user. */
export const systemNote = (text: string): string => `[System note]\n${text}`;

/** A tool's result; never blank. */
export const resultText = (text: string): string => (text.trim() === '' ? EMPTY_RESULT : text);

/** A tool's name; one that a model made up is made legal. */
export const functionName = (name: string): string => wireName(name) || 'unknown';

/**
 * A call's arguments as JSON text of an object: empty becomes `{}`, and text that is no object is
 * wrapped, because servers that parse the history refuse the whole conversation otherwise.
 */
export function argumentsText(text: string): string {
  if (text.trim() === '') return '{}';
  return isJsonObject(parseJson(text)) ? text : JSON.stringify({ unparsable_arguments: text });
}

/** The system messages that lead a conversation: their number, and their words as one text. */
export function leadingSystem(messages: readonly Message[]): { count: number; text: string } {
  const start = messages.findIndex(({ role }) => role !== 'system');
  const leading = start < 0 ? messages : messages.slice(0, start);
  const texts = leading.flatMap(({ content }) => (typeof content === 'string' ? [content] : []));
  const text = texts.filter((words) => words.trim() !== '').join('\n\n');
  return { count: leading.length, text };
}

/** A loop: `flatMap` costs twenty times as much here, and a history has a thousand messages. */
export function withCommas(items: readonly string[]): string[] {
  const pieces: string[] = [];
  for (const item of items) pieces.push(pieces.length === 0 ? '' : ',', item);
  return pieces;
}
