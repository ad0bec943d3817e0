import { cutText } from '../runtime/cut_text.js';
/** The part of a text to show, in lines. */
export interface LineWindow {
  /** 1-based. */
  offset: number;
  limit: number;
}

/** Characters shown at once, however long the lines are. */
const MOST_CHARACTERS = 60_000;

/** The lines of a window, unchanged, with a note at the end when there is more; a sentence when it is empty. */
export function showLines(text: string, window: LineWindow): string {
  if (text === '') return '[The file is empty.]';
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const { offset } = window;
  if (offset > lines.length) return `[The file has ${lines.length} lines; none at ${offset}.]`;
  const shown = takeWhole(lines.slice(offset - 1, offset - 1 + window.limit));
  const last = offset + shown.lines.length - 1;
  const body = shown.lines.join('\n');
  const cut = shown.cut ? `\n[Line ${last} is too long and was cut here.]` : '';
  if (offset === 1 && last === lines.length) return body + cut;
  const more = last < lines.length ? ` The next line is ${last + 1}.` : '';
  return `${body}${cut}\n[Lines ${offset} to ${last} of ${lines.length}.${more}]`;
}

/** As many whole lines as fit; a first line that does not fit is cut. */
function takeWhole(lines: readonly string[]): { lines: string[]; cut: boolean } {
  const taken: string[] = [];
  let room = MOST_CHARACTERS;
  for (const line of lines) {
    if (line.length > room) {
      return taken.length > 0
        ? { lines: taken, cut: false }
        : { lines: [cutText(line, MOST_CHARACTERS)], cut: true };
    }
    taken.push(line);
    room -= line.length + 1;
  }
  return { lines: taken, cut: false };
}
