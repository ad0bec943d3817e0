import { isJsonObject, parseJson, textField } from './json_value.js';

const EXCERPT_LENGTH = 500;
/** How much of an error answer is worth reading. */
export const ERROR_BODY_LENGTH = 16_384;

/**
 * The provider's own words from the body of an error answer: the message of a JSON error in one of
 * the usual forms, else the body as plain text. Empty when there are none. It is not cut: secrets
 * are removed first.
 */
export function errorText(body: string): string {
  const value = parseJson(body);
  return value === undefined ? plainText(body) : (errorMessage(value) ?? body);
}

/**
 * The message of an error object, or null when the value is none. Forms: `{error: {message}}`
 * (OpenAI and most), `{error: text}` (Ollama), `{object: 'error', message}` (vLLM), `{message}`,
 * and `{detail}` (FastAPI servers).
 */
export function errorMessage(value: unknown): string | null {
  if (!isJsonObject(value)) return null;
  const { error } = value;
  if (typeof error === 'string' && error !== '') return error;
  if (isJsonObject(error)) return textField(error['message']) || JSON.stringify(error);
  const message = textField(value['message']) || textField(value['detail']);
  return message === '' ? null : message;
}

/** Text of a page without its markup, on one line. */
function plainText(html: string): string {
  return html
    .replaceAll(/<(script|style)\b[\s\S]*?<\/\1\s*>/gi, ' ')
    .replaceAll(/<[^<>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** The beginning of a text, with a mark where it was cut. */
export function excerpt(text: string): string {
  const line = text.trim();
  return line.length <= EXCERPT_LENGTH ? line : `${line.slice(0, EXCERPT_LENGTH)}…`;
}
