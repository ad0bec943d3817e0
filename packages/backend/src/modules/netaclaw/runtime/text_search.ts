import MiniSearch from 'minisearch';

/** A text that can be found, and what it is found as. */
export interface SearchedText<Id> {
  id: Id;
  text: string;
}

const HAN = /\p{Script=Han}/u;
const HAN_RUN = /\p{Script=Han}+/gu;
const HAN_EACH = /\p{Script=Han}/gu;
const WORD_RUN = /[\p{L}\p{N}_]+/gu;

/**
 * The terms of a text: words, and of Chinese, which has no spaces, each two characters that stand
 * together. A single Chinese character is a term of its own where it stands alone.
 */
export function termsOf(text: string): string[] {
  const words = text.toLowerCase().match(WORD_RUN) ?? [];
  return words.flatMap((word) => (HAN.test(word) ? mixedTerms(word) : [word]));
}

function mixedTerms(word: string): string[] {
  const others = word.split(HAN_RUN).filter((part) => part !== '');
  return [...(word.match(HAN_RUN) ?? []).flatMap(bigramsOf), ...others];
}

function bigramsOf(run: string): string[] {
  const characters = [...run];
  if (characters.length < 3) return [run];
  return characters.slice(1).map((character, at) => `${characters[at]}${character}`);
}

/**
 * The ids of the texts that have something of the query in them, the best first. Beginnings of words
 * count, and small slips in longer ones; of Chinese whole pairs of characters, and a character that
 * stands alone in the query wherever it is. Where no pair is found, texts that have all its characters.
 */
export function searchTexts<Id>(
  texts: readonly SearchedText<Id>[],
  query: string,
  limit: number,
): Id[] {
  const wanted = query.trim();
  if (wanted === '') return [];
  if ([...wanted].length === 1) {
    return texts
      .filter(({ text }) => text.includes(wanted))
      .slice(0, limit)
      .map(({ id }) => id);
  }
  const index = new MiniSearch<{ at: number; text: string }>({
    idField: 'at',
    fields: ['text'],
    tokenize: (text) => [...termsOf(text), ...(text.match(HAN_EACH) ?? [])],
    processTerm: (term) => term,
  });
  index.addAll(texts.map(({ text }, at) => ({ at, text })));
  const options = {
    prefix: (term: string) => !HAN.test(term),
    fuzzy: (term: string) => (!HAN.test(term) && term.length > 4 ? 0.2 : false),
  };
  const byTerms = index.search(wanted, { ...options, tokenize: termsOf });
  const characters = wanted.match(HAN_EACH) ?? [];
  const found =
    byTerms.length > 0 || characters.length === 0
      ? byTerms
      : index.search(wanted, { tokenize: () => characters, combineWith: 'AND' });
  return found.slice(0, limit).flatMap(({ id }) => {
    const text = texts[Number(id)];
    return text ? [text.id] : [];
  });
}
