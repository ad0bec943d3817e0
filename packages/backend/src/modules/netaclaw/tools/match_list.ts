import type { SearchResult } from '../sandbox/components.js';
import { showName } from './entry_list.js';

/** Matches as `path:line: text`, with a note when there may be more. */
export function showMatches(result: SearchResult): string {
  const lines = result.matches.map(
    ({ path, line, text }) => `${showName(path)}:${line}: ${showName(text)}`,
  );
  const note = result.incomplete
    ? ['[There may be more: a limit was reached or a file could not be read. Narrow the search.]']
    : [];
  return [...(lines.length === 0 ? ['[No matches.]'] : lines), ...note].join('\n');
}
