import { cutText } from '../runtime/cut_text.js';
/** One exact replacement in a text. */
export interface TextPatch {
  oldText: string;
  newText: string;
  replaceAll: boolean;
}

/** The changed text and how many places were changed, or a sentence that says what to correct. */
export type PatchResult =
  { ok: true; text: string; count: number } | { ok: false; problem: string };

/**
 * Replaces `oldText` where it stands exactly. It must stand there once unless `replaceAll`. In a file
 * with CRLF line ends both texts may be given with plain ones; the file keeps its own.
 */
export function patchText(text: string, patch: TextPatch): PatchResult {
  const { oldText, newText } = fitLineEnds(text, patch);
  if (oldText === newText) {
    return refuse('old_text and new_text are the same, so there is nothing to change.');
  }
  const parts = text.split(oldText);
  const count = parts.length - 1;
  if (count === 0) return refuse(`old_text was not found. ${closestLine(text, oldText)}`);
  if (count > 1 && !patch.replaceAll) {
    return refuse(
      `old_text was found ${count} times, at lines ${startLines(parts).join(', ')}. Add lines around it until it is unique, or set replace_all.`,
    );
  }
  return { ok: true, text: parts.join(newText), count };
}

const refuse = (problem: string): PatchResult => ({ ok: false, problem });

function fitLineEnds(text: string, { oldText, newText }: TextPatch): Omit<TextPatch, 'replaceAll'> {
  const onlyCrlf = text.includes('\r\n') && !/(^|[^\r])\n/.test(text);
  if (!onlyCrlf) return { oldText, newText };
  return { oldText: toCrlf(oldText), newText: toCrlf(newText) };
}

const toCrlf = (part: string): string => part.replace(/\r?\n/g, '\r\n');

/** The lines where the first ten occurrences begin. */
function startLines(parts: readonly string[]): string[] {
  const lines: string[] = [];
  let line = 1;
  const gap = parts.length - 1;
  for (const part of parts.slice(0, Math.min(gap, 10))) {
    line += countLineEnds(part);
    lines.push(String(line));
  }
  return gap > 10 ? [...lines, '…'] : lines;
}

const countLineEnds = (text: string): number => text.split('\n').length - 1;

const MOST_LINES_COMPARED = 20_000;

/** Points at the line that the first line of the wanted text probably means. */
function closestLine(text: string, wanted: string): string {
  const first =
    wanted
      .split('\n')
      .find((line) => line.trim() !== '')
      ?.trim() ?? '';
  const lines = text.split('\n').slice(0, MOST_LINES_COMPARED);
  const same = lines.findIndex((line) => line.trim() === first);
  if (first !== '' && same >= 0) {
    return `Line ${same + 1} has the same words as its first line, so spaces or the lines after it differ: ${JSON.stringify(lines[same])}. Read the file again and copy the text exactly.`;
  }
  const best = mostAlike(lines, first);
  return best === null
    ? 'No line of the file resembles it. Read the file again and copy the text exactly.'
    : `The closest line is ${best + 1}: ${JSON.stringify(cutText(lines[best] ?? '', 300))}. Read the file again and copy the text exactly.`;
}

/** The line that shares most words with `wanted`; null when none shares half of them. */
function mostAlike(lines: readonly string[], wanted: string): number | null {
  const words = wordsOf(wanted);
  let best: { line: number; score: number } = { line: -1, score: 0 };
  for (const [line, text] of lines.entries()) {
    const score = alikeness(words, wordsOf(text));
    if (score > best.score) best = { line, score };
  }
  return best.score >= 0.5 ? best.line : null;
}

const wordsOf = (text: string): Set<string> =>
  new Set(text.slice(0, 1000).match(/[\p{L}\p{N}_]+/gu) ?? []);

function alikeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  if (one.size === 0 || other.size === 0) return 0;
  const shared = [...one].filter((word) => other.has(word)).length;
  return (2 * shared) / (one.size + other.size);
}
