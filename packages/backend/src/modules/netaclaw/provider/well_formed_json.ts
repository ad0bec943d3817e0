const ESCAPES =
  /(?<!\\)((?:\\\\)*)(\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}|\\ud[89a-f][0-9a-f]{2})/gi;
const PAIR_LENGTH = 12;

/**
 * JSON text in which no half of a character is left: providers refuse a whole request for one. Such a
 * half stands in JSON only as an escape, since `JSON.stringify` writes it so.
 */
export function wellFormedJson(json: string): string {
  if (!json.includes('\\ud') && !json.includes('\\uD')) return json;
  return json.replaceAll(ESCAPES, (_all, before: string, escape: string) =>
    escape.length === PAIR_LENGTH ? before + escape : `${before}\\ufffd`,
  );
}
