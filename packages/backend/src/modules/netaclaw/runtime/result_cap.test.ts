import { describe, expect, it } from 'vitest';
import { capResult, isTooLong, MAX_RESULT_BYTES, shortenResult } from './result_cap.js';

const bytesOf = (text: string) => new TextEncoder().encode(text).length;

describe('isTooLong', () => {
  it.each([
    ['nothing', '', false],
    ['as many bytes as allowed', 'x'.repeat(MAX_RESULT_BYTES), false],
    ['one byte more', 'x'.repeat(MAX_RESULT_BYTES + 1), true],
    ['few characters of many bytes', '語'.repeat(MAX_RESULT_BYTES / 2), true],
    [
      'characters of three bytes that just fit',
      '語'.repeat(Math.floor(MAX_RESULT_BYTES / 3)),
      false,
    ],
    ['the same and one more', '語'.repeat(Math.floor(MAX_RESULT_BYTES / 3) + 1), true],
  ])('%s', (_what, text, expected) => {
    expect(isTooLong(text)).toBe(expected);
  });

  it('counts as 64 KiB', () => {
    expect(MAX_RESULT_BYTES).toBe(65_536);
  });
});

describe('capResult', () => {
  it('keeps the beginning and the end, and says how much is gone', () => {
    const text = `BEGIN${'x'.repeat(100_000)}END`;
    const capped = capResult(text, null);
    expect(capped.startsWith('BEGINxxx')).toBe(true);
    expect(capped.endsWith('xxxEND')).toBe(true);
    expect(capped).toContain(
      '\n\n[... 38568 of 100008 bytes were cut here. They lie nowhere that a tool reaches: ask for a part, or for less.]\n\n',
    );
    expect(bytesOf(capped)).toBeLessThanOrEqual(MAX_RESULT_BYTES);
  });

  it('says where the result lies, and does not call it full', () => {
    const capped = capResult('x'.repeat(100_000), 'tool-results/a.txt');
    expect(capped).toContain(
      'bytes were cut here. What the tool returned is in tool-results/a.txt; ',
    );
    expect(capped).not.toContain('full');
  });

  it.each(['é', '語', '😀'])('leaves no half of %s at the cut, wherever it falls', (character) => {
    for (let shift = 0; shift < 4; shift += 1) {
      const text = 'x'.repeat(shift) + character.repeat(40_000);
      const capped = capResult(text, null);
      expect(capped).not.toContain('\ufffd');
      const [head = '', tail = ''] = capped.split(/\n\n\[\.\.\. .+\]\n\n/);
      expect(text.startsWith(head)).toBe(true);
      expect(text.endsWith(tail)).toBe(true);
      expect(Math.min(head.length, tail.length)).toBeGreaterThan(4000);
      expect(bytesOf(capped)).toBeLessThanOrEqual(MAX_RESULT_BYTES);
    }
  });
});

describe('shortenResult', () => {
  it.each([1000, 5000, 20_000])('to %i bytes, and says where the whole is', (bytes) => {
    const capped = capResult('x'.repeat(200_000), '/workspace/results/a.txt');
    const shortened = shortenResult(capped, bytes);
    expect(bytesOf(shortened)).toBeLessThanOrEqual(bytes);
    expect(shortened).toContain('The whole is in /workspace/results/a.txt.');
    expect(shortenResult(shortened, 600)).toContain('The whole is in /workspace/results/a.txt.');
  });

  it('says what to do when the whole is nowhere', () => {
    expect(shortenResult('😀'.repeat(2000), 1000)).toMatch(
      /^😀+\n\n\[.*for less at a time\.\]\n\n😀+$/su,
    );
  });
});
