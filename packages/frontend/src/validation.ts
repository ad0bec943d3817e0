import type { z } from 'zod';
import { contractSentences } from './i18n/chinese-sentences.js';
import { i18n } from './i18n/index.js';

/** What is wrong with a value: where, and a sentence in the language of the moment. */
export interface Problem {
  path: PropertyKey[];
  message: string;
}

/** The parsed value, or what is wrong with it. */
export type Validated<T> =
  { success: true; data: T; problems: [] } | { success: false; problems: Problem[] };

/**
 * Parses what a form holds. Its sentences are in the language of the moment, so a computed value that
 * calls this is made anew when the language changes.
 */
export function validate<S extends z.ZodType>(schema: S, value: unknown): Validated<z.output<S>> {
  const isChinese = i18n.global.locale.value === 'zh';
  const parsed = schema.safeParse(value);
  if (parsed.success) return { success: true, data: parsed.data, problems: [] };
  const problems = parsed.error.issues.map(({ path, message }) => ({
    path,
    message: isChinese ? (contractSentences[message] ?? message) : message,
  }));
  return { success: false, problems };
}
