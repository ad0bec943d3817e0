import { expect, it } from 'vitest';
import { titleOf } from './session_title.js';

it.each([
  ['short text', 'Hello there', 'Hello there'],
  ['blanks and lines', '  Hello\n\n  there\t', 'Hello there'],
  ['nothing', '', 'Untitled'],
  ['blanks only', ' \n ', 'Untitled'],
  ['eighty characters', 'x'.repeat(80), 'x'.repeat(80)],
  ['eighty-one characters', 'x'.repeat(81), `${'x'.repeat(79)}…`],
  ['characters of two units', '😀'.repeat(81), `${'😀'.repeat(79)}…`],
])('makes a title of %s', (_what, content, title) => {
  expect(titleOf(content)).toBe(title);
});

it('takes the words of parts and leaves out what is no text', () => {
  expect(
    titleOf([
      { type: 'text', text: 'Look at' },
      { type: 'image', url: 'https://example.com/a.png' },
      { type: 'text', text: 'this' },
    ]),
  ).toBe('Look at this');
  expect(titleOf([{ type: 'image', url: 'https://example.com/a.png' }])).toBe('Untitled');
});
