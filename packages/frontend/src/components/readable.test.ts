import { describe, expect, it } from 'vitest';
import { isLongText, namedFields, readable, statusWord } from './readable.js';

const t = (key: string) => `<${key}>`;

describe('values for people', () => {
  it.each([
    [null, '<common.none>'],
    ['', '<common.none>'],
    [[], '<common.none>'],
    [{}, '<common.none>'],
    ['text', 'text'],
    [0, '0'],
    [true, '<common.on>'],
    [['bash', 'todo'], 'bash, todo'],
    [{ note: 'x', tags: ['a', 'b'] }, 'note: x\ntags: a, b'],
  ])('%j reads %s', (value, expected) => {
    expect(readable(value, t)).toBe(expected);
  });

  it('names fields by their messages, where there are any', () => {
    expect(namedFields({ a: 1, b: null }, { a: 'x.a' }, t)).toBe('<x.a>: 1\nb: <common.none>');
  });

  it('words a status', () => {
    expect([1, 0].map((value) => statusWord(value, t))).toEqual(['<common.on>', '<common.off>']);
  });

  it.each([
    ['short', false],
    ['two\nlines', true],
    ['x'.repeat(120), true],
    [{ length: 500 }, false],
  ])('%j is a long text: %s', (value, expected) => {
    expect(isLongText(value)).toBe(expected);
  });
});
