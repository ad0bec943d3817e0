/** Tokens kept free for the answer when a channel does not say how long one may be. */
const DEFAULT_OUTPUT_TOKENS = 4096;

interface Limits {
  contextWindow: number | null;
  maxOutputTokens: number | null;
}

/** Tokens that a request to a channel may have: its window less the room for the answer. Null: no window is known. */
export function requestTokensOf({ contextWindow, maxOutputTokens }: Limits): number | null {
  if (contextWindow === null) return null;
  const forAnswer = maxOutputTokens ?? Math.min(DEFAULT_OUTPUT_TOKENS, contextWindow / 4);
  return Math.max(0, Math.floor(contextWindow - forAnswer));
}
