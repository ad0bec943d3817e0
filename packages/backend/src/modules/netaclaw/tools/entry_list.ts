import type { DirectoryEntry } from '../sandbox/components.js';

const MOST_SHOWN = 1000;

/** A folder's entries, one a line, folders first; unusual names are quoted so that a line is always one entry. */
export function showEntries(entries: readonly DirectoryEntry[]): string {
  if (entries.length === 0) return '[The folder is empty.]';
  const ordered = entries.toSorted(
    (one, other) => Number(other.kind === 'directory') - Number(one.kind === 'directory'),
  );
  const lines = ordered.slice(0, MOST_SHOWN).map(showEntry);
  const left = entries.length - lines.length;
  return left > 0
    ? [...lines, `[${left} more entries are not shown.]`].join('\n')
    : lines.join('\n');
}

function showEntry(entry: DirectoryEntry): string {
  const name = showName(entry.name);
  switch (entry.kind) {
    case 'directory':
      return `${name}/`;
    case 'file':
      return `${name}  ${entry.size ?? 0} bytes`;
    case 'link':
      return `${name}  (link)`;
    case 'other':
      return `${name}  (not a regular file)`;
  }
}

/** A name or path as it is, unless a character in it would break the line. */
export const showName = (name: string): string =>
  /[\p{Cc}\p{Zl}\p{Zp}]/u.test(name) ? JSON.stringify(name) : name;
