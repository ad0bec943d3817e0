import { expect, it } from 'vitest';
import { showLines } from './line_window.js';

it.each([
  ['a\nb\n', { offset: 1, limit: 10 }, 'a\nb'],
  ['', { offset: 1, limit: 10 }, '[The file is empty.]'],
  ['a\nb\nc', { offset: 1, limit: 2 }, 'a\nb\n[Lines 1 to 2 of 3. The next line is 3.]'],
  ['a\nb\nc', { offset: 3, limit: 5 }, 'c\n[Lines 3 to 3 of 3.]'],
  ['a\nb', { offset: 9, limit: 1 }, '[The file has 2 lines; none at 9.]'],
])('%j through %j shows %j', (text, window, shown) => {
  expect(showLines(text, window)).toBe(shown);
});

it('shows whole lines only as far as they fit', () => {
  const text = `${'x'.repeat(40_000)}\n${'y'.repeat(40_000)}\nz`;
  const shown = showLines(text, { offset: 1, limit: 3 });
  expect(shown).not.toContain('y');
  expect(shown).toMatch(/\[Lines 1 to 1 of 3\. The next line is 2\.\]$/);
});

it('cuts a line that alone is too long', () => {
  const shown = showLines('x'.repeat(100_000), { offset: 1, limit: 1 });
  expect(shown.length).toBeLessThan(61_000);
  expect(shown).toMatch(/\[Line 1 is too long and was cut here\.\]$/);
});
