import { isJsonObject, parseJson } from './json_value.js';

/** Names of functions and tools that every provider accepts, in a history too. */
const LEGAL_NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** A system message that comes later than the first ones, as a user's text. */
export const systemNote = (text: string): string => `[System note]\n${text}`;

/** A tool's result in words: an empty one says so, since some servers refuse empty text. */
export const resultText = (text: string): string => (text.trim() === '' ? '(no output)' : text);

/** A call's name as a provider accepts it. Only a name that a model made up is changed. */
export function legalName(name: string): string {
  if (LEGAL_NAME.test(name)) return name;
  return name.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 64) || 'unknown';
}

/**
 * A call's arguments as the JSON text of an object: empty becomes `{}`, and text that is no object is
 * wrapped, because servers that parse the history refuse the whole conversation otherwise.
 */
export function objectText(text: string): string {
  if (text.trim() === '') return '{}';
  return isJsonObject(parseJson(text)) ? text : JSON.stringify({ unparsable_arguments: text });
}

/** A tool's schema with what some servers insist on, and without the name of its dialect. */
export function objectSchema(schema: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { $schema: _dialect, ...rest } = schema;
  return { type: 'object', properties: {}, ...rest };
}
