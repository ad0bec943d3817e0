/**
 * Costs in tokens, on the safe side of what public tokenizers take: text in Latin letters comes out a
 * quarter too high, numbers, hex, emoji and other scripts seldom too low.
 */
const WORD_LETTERS = 4;
/** Nobody's words are longer; what is, is a key or a coded file, of which tokens hold fewer letters. */
const LONGEST_WORD = 14;
const CODE_LETTERS = 2;
const AFTER_CAPITAL = 0.4;
const CAPITAL = 0.7;
const DIGIT = 1;
const SIGN = 1;
const SAME_SIGN = 0.5;
const BLANK = 1;
const MORE_BLANKS = 0.15;
/** Half a character outside the basic plane: emoji, rare scripts. */
const SURROGATE = 1.5;

/** What adding fractions may be off by. */
const ROUNDING = 1e-6;
const APOSTROPHE = 0x27;

/** Up to (not including) a code unit, what one character costs. */
const COSTS: readonly (readonly [end: number, cost: number])[] = [
  [0x0250, 1], // Latin letters with marks
  [0x0400, 1], // phonetic signs, marks, Greek
  [0x0530, 0.6], // Cyrillic
  [0x0590, 1.5], // Armenian
  [0x0600, 1], // Hebrew
  [0x0780, 0.8], // Arabic
  [0x0900, 2],
  [0x0e00, 1.2], // the scripts of India
  [0x10a0, 1.5], // Thai, Lao, Tibetan, Burmese
  [0x1100, 1.5], // Georgian
  [0x1200, 2], // parts of Korean syllables
  [0x1e00, 3], // Ethiopic, Cherokee, Khmer, Mongolian
  [0x1f00, 1.5], // Latin letters with two marks
  [0x2000, 2], // old Greek
  [0x2070, 1], // dashes, quotes, joiners
  [0x2e80, 2], // signs, arrows, frames
  [0x3400, 1], // Chinese punctuation, Japanese
  [0x4e00, 3], // rare ideographs
  [0xa000, 1], // ideographs
  [0xac00, 3],
  [0xd7b0, 1], // Korean
  [0xf900, 3],
  [0xfe00, 3],
  [0xfe10, 1], // variants of emoji
  [0xff00, 2],
  [0xffe0, 1], // wide forms
];

type Kind = 'none' | 'lower' | 'upper' | 'digit' | 'blank' | 'sign' | 'other';

/** About how many tokens a text has, rather too many than too few: good enough for a budget, not for a bill. */
export function estimateTokens(text: string): number {
  let tokens = 0;
  let before: Kind = 'none';
  let run = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const kind = kindOf(code);
    run = kind === before ? run + 1 : 1;
    tokens += costOf(kind, { code, run, before, same: text.charCodeAt(at - 1) === code });
    if (kind !== 'blank' && before === 'blank' && isGlued(kind, text, at)) tokens -= BLANK;
    before = kind;
  }
  return text === '' ? 0 : Math.ceil(tokens - ROUNDING);
}

interface Seen {
  code: number;
  /** How many of the kind in a row. */
  run: number;
  before: Kind;
  same: boolean;
}

function costOf(kind: Kind, { code, run, before, same }: Seen): number {
  switch (kind) {
    case 'lower':
      return letterCost(run, before);
    case 'upper':
      return run === 1 ? 1 : CAPITAL;
    case 'digit':
      return DIGIT;
    case 'blank':
      return run === 1 ? BLANK : MORE_BLANKS;
    case 'sign':
      if (code === APOSTROPHE && before === 'lower') return 0;
      return same ? SAME_SIGN : SIGN;
    default:
      return otherCost(code);
  }
}

/** A word's first letters are one token; a capital in front of them has paid for them. */
function letterCost(run: number, before: Kind): number {
  if (run === 1) return before === 'upper' ? AFTER_CAPITAL : 1;
  if (run <= WORD_LETTERS) return 0;
  return run <= LONGEST_WORD ? 1 / WORD_LETTERS : 1 / CODE_LETTERS;
}

function otherCost(code: number): number {
  if (code >= 0xd800 && code < 0xe000) return SURROGATE;
  return COSTS.find(([end]) => code < end)?.[1] ?? 3;
}

/** One space before a word goes with the word. */
const isGlued = (kind: Kind, text: string, at: number): boolean =>
  (kind === 'lower' || kind === 'upper' || kind === 'other') && text.charCodeAt(at - 1) === 0x20;

function kindOf(code: number): Kind {
  if (code >= 0x80) return 'other';
  if (code >= 0x61 && code <= 0x7a) return 'lower';
  if (code >= 0x41 && code <= 0x5a) return 'upper';
  if (code >= 0x30 && code <= 0x39) return 'digit';
  return code === 0x20 || (code >= 0x09 && code <= 0x0d) ? 'blank' : 'sign';
}
