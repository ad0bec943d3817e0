import type { Usage } from '@netaclaw/contracts';

/** More than any model takes or gives in one call; a larger number is a provider's mistake. */
const MOST_OF_A_CALL = 100_000_000;
/** What a column holds, on every database. */
const MOST_OF_A_RUN = 2_147_483_647;

export const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };

/** A number of tokens as a provider says it, whatever it says: a whole number from nought on. */
export function readTokens(value: unknown): number {
  const isCount = typeof value === 'number' && value > 0;
  return isCount ? Math.round(Math.min(value, MOST_OF_A_CALL)) : 0;
}

/** The usage of a call. Where the provider gives no total, it is the sum. */
export function readUsageOf(input: unknown, output: unknown, total?: unknown): Usage {
  const inputTokens = readTokens(input);
  const outputTokens = readTokens(output);
  return {
    inputTokens,
    outputTokens,
    totalTokens: readTokens(total) || inputTokens + outputTokens,
  };
}

export const addUsage = (one: Usage, other: Usage): Usage => ({
  inputTokens: Math.min(MOST_OF_A_RUN, one.inputTokens + other.inputTokens),
  outputTokens: Math.min(MOST_OF_A_RUN, one.outputTokens + other.outputTokens),
  totalTokens: Math.min(MOST_OF_A_RUN, one.totalTokens + other.totalTokens),
});
