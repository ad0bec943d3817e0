import { describe, expect, it } from 'vitest';
import { patchText } from './patch_text.js';

const patch = (text: string, oldText: string, newText: string) =>
  patchText(text, { oldText, newText, replaceAll: false });
const problemOf = (result: ReturnType<typeof patchText>): string =>
  result.ok ? '' : result.problem;

describe('patchText', () => {
  it('replaces the only occurrence', () => {
    expect(patch('a b c', 'b', 'x')).toEqual({ ok: true, text: 'a x c', count: 1 });
  });

  it('takes dollar signs as they are', () => {
    expect(patch('price', 'price', '$& $1 $$')).toMatchObject({ text: '$& $1 $$' });
  });

  it('refuses several occurrences and says where they are', () => {
    expect(problemOf(patch('x\ny\nx\n', 'x', 'z'))).toMatch(/found 2 times, at lines 1, 3\./);
  });

  it('replaces all when asked', () => {
    expect(patchText('x y x', { oldText: 'x', newText: '', replaceAll: true })).toEqual({
      ok: true,
      text: ' y ',
      count: 2,
    });
  });

  it('refuses a change that changes nothing', () => {
    expect(problemOf(patch('a', 'a', 'a'))).toMatch(/nothing to change/);
  });

  it('keeps CRLF line ends when it is given plain ones', () => {
    expect(patch('a\r\nb\r\nc', 'a\nb', 'a\nx\ny')).toMatchObject({ text: 'a\r\nx\r\ny\r\nc' });
  });

  it('leaves a file of mixed line ends alone but for the change', () => {
    expect(patch('a\r\nb\nc', 'b\n', 'x\n')).toMatchObject({ text: 'a\r\nx\nc' });
  });

  it('points at a line that differs in spaces only', () => {
    expect(problemOf(patch('one\n\tcall(here);\n', '  call(here);\n', 'x'))).toMatch(
      /Line 2 has the same words.*\\tcall\(here\);/,
    );
  });

  it('points at the closest line', () => {
    const text = 'alpha beta gamma\nconst total = count + 1;\nomega';
    expect(problemOf(patch(text, 'const total = count + 2;', 'x'))).toMatch(
      /closest line is 2: "const total = count \+ 1;"/,
    );
  });

  it('says when nothing comes close', () => {
    expect(problemOf(patch('alpha', 'zzz yyy', 'x'))).toMatch(/No line of the file resembles it/);
  });
});
