import { pino, type Logger } from 'pino';

export type { Logger };

/** Names under which secrets travel; their values never reach a log line. */
const secretPaths = ['apiKey', 'password', 'token', 'refreshToken', 'authorization', 'key'].flatMap(
  (name) => [name, `*.${name}`, `*.*.${name}`],
);

let current: Logger = pino({ level: 'silent' });

/** Structured logs, one JSON object a line on standard output. Called once at start. */
export function configureLogger(level: string): void {
  current = pino({
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    // A failed statement carries its values, which may be anything.
    redact: { paths: [...secretPaths, 'err.parameters'], censor: '[secret]' },
  });
}

/** The process's logger; silent until it is configured. */
export const logger = (): Logger => current;

/** The framework's own words, among the rest: what it tells of its life is of little interest. */
export const frameworkLogger = {
  debug: (...words: unknown[]): void => current.debug(wordsOf(words)),
  info: (...words: unknown[]): void => current.debug(wordsOf(words)),
  warn: (...words: unknown[]): void => current.warn(wordsOf(words)),
  error: (...words: unknown[]): void => current.error(wordsOf(words)),
};

const wordsOf = (words: readonly unknown[]): string =>
  words
    .map((word) => (word instanceof Error ? (word.stack ?? word.message) : String(word)))
    .join(' ');
