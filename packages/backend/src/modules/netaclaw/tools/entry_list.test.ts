import { expect, it } from 'vitest';
import { showEntries } from './entry_list.js';

it('lists folders first, and every entry on one line', () => {
  expect(
    showEntries([
      { name: 'a.txt', kind: 'file', size: 3 },
      { name: 'b\nc', kind: 'link', size: null },
      { name: 'd', kind: 'directory', size: null },
      { name: 'e', kind: 'other', size: null },
    ]),
  ).toBe('d/\na.txt  3 bytes\n"b\\nc"  (link)\ne  (not a regular file)');
});

it('says that a folder is empty, and how much it leaves out', () => {
  expect(showEntries([])).toBe('[The folder is empty.]');
  const many = Array.from({ length: 1003 }, (_, index) => ({
    name: `${index}`,
    kind: 'file' as const,
    size: 0,
  }));
  expect(showEntries(many)).toMatch(/\[3 more entries are not shown\.\]$/);
});
