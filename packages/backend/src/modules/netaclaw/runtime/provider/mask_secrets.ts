const MASK = '***';
/** Shorter values are words like `1` or `eu`; masking them would only garble the sentence. */
const SHORTEST_SECRET = 6;

/** What looks like a credential whoever sent it: prefixed keys, tokens, long hexadecimal numbers. */
const patterns = [
  /\b(?:sk|pk|rk|gsk|hf|xai|AIza)[-_]?[A-Za-z0-9][A-Za-z0-9_-]{14,}/g,
  /\bsk-[A-Za-z0-9_*.-]{4,}/g,
  /\bBearer\s+[A-Za-z0-9._~+/=-]{6,}/gi,
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)?/g,
  /\b[0-9a-f]{32,}\b/gi,
];

/**
 * Makes the function that removes secrets from a text: the given values, as they are and as URLs and
 * JSON spell them, and whatever looks like a credential. Mask before cutting a text, or a piece of a
 * secret may stay at the edge.
 */
export function secretMasker(values: readonly string[]): (text: string) => string {
  const known = values
    .flatMap((value) => (value.length < SHORTEST_SECRET ? [] : spellings(value)))
    .toSorted((one, other) => other.length - one.length);
  return (text) => {
    const masked = known.reduce((rest, secret) => rest.replaceAll(secret, MASK), text);
    return patterns.reduce((rest, pattern) => rest.replaceAll(pattern, MASK), masked);
  };
}

function spellings(value: string): string[] {
  const inUrl = new URLSearchParams([['', value]]).toString().slice(1);
  return [value, inUrl, JSON.stringify(value).slice(1, -1)];
}
