import { ESTIMATE, tokenMeter, type CountTokens, type TokenMeter } from '../runtime/tokens.js';

type Encoding = 'o200k_base' | 'cl100k_base';

/** Families of models whose tokenizer is public, by how their names begin; the first that fits counts. */
const families: readonly { name: RegExp; encoding: Encoding }[] = [
  { name: /^(gpt-(4o|4\.1|4\.5|5|oss)|chatgpt-|o[134](-|$))/, encoding: 'o200k_base' },
  { name: /^gpt-(4|3\.5)/, encoding: 'cl100k_base' },
];

/** The encoding of a model, by its name as channels have it (`openai/gpt-4o` too); null: not known. */
export function encodingOf(model: string): Encoding | null {
  const name = model.slice(model.lastIndexOf('/') + 1).toLowerCase();
  return families.find((family) => family.name.test(name))?.encoding ?? null;
}

/**
 * Pieces of this many characters are counted one by one: the time for a single word grows with the
 * square of its length, and Chinese text without punctuation is a single word. A cut costs at most a
 * token or two, and counting too many is the safe side.
 */
const PIECE = 512;

const meters = new Map<Encoding, Promise<TokenMeter>>();

/** How a model counts tokens: exactly where its tokenizer is public, else an estimate. Loaded when first needed. */
export async function tokenMeterFor(model: string): Promise<TokenMeter> {
  const encoding = encodingOf(model);
  if (encoding === null) return ESTIMATE;
  const known = meters.get(encoding) ?? loadTokenizer(encoding).then(tokenMeter);
  meters.set(encoding, known);
  return known;
}

/** 70 MB and 0.2 s, once. */
export async function loadTokenizer(encoding: Encoding): Promise<CountTokens> {
  const { countTokens } =
    encoding === 'o200k_base'
      ? await import('gpt-tokenizer/encoding/o200k_base')
      : await import('gpt-tokenizer/encoding/cl100k_base');
  // A text that spells a control token is text here.
  const asText = { disallowedSpecial: new Set<string>() };
  return (text) => {
    let count = 0;
    for (let from = 0; from < text.length; from += PIECE) {
      count += countTokens(text.slice(from, from + PIECE), asText);
    }
    return count;
  };
}
