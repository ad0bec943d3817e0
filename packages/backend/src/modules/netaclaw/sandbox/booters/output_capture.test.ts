import { describe, expect, it } from 'vitest';
import { OutputCapture } from './output_capture.js';

const limits = { headBytes: 4, tailBytes: 6 };
const captured = (...pieces: string[]): string => {
  const capture = new OutputCapture(limits);
  for (const piece of pieces) capture.push(Buffer.from(piece));
  return capture.text();
};

describe('OutputCapture', () => {
  it('keeps everything that fits', () => {
    expect(captured('ab', 'cdef', 'ghij')).toBe('abcdefghij');
    expect(captured()).toBe('');
  });

  it('keeps beginning and end of more, and says how much is missing', () => {
    expect(captured('0123456789', 'abcdef')).toBe('0123\n[… 6 bytes of output left out …]\nabcdef');
  });

  it('counts the same whether output comes in one piece or in many', () => {
    const text = 'x'.repeat(5000);
    expect(captured(...text)).toBe(captured(text));
  });

  it('keeps 4 MiB of a stream, and of more the first and the last', () => {
    const MIB = 1024 * 1024;
    const capture = new OutputCapture();
    for (let mib = 0; mib < 4; mib += 1) capture.push(Buffer.alloc(MIB, `${mib}`));
    expect(capture.text()).toHaveLength(4 * MIB);
    capture.push(Buffer.alloc(MIB, '4'));
    const [head, tail] = capture.text().split(`\n[… ${MIB} bytes of output left out …]\n`);
    expect(head === '0'.repeat(MIB)).toBe(true);
    expect(tail === ['2', '3', '4'].map((digit) => digit.repeat(MIB)).join('')).toBe(true);
  });

  it('does not show half a character where it cuts', () => {
    expect(captured('abcd', '好好好好')).toMatch(/\n好好$/);
  });

  it('joins a character that comes in two pieces', () => {
    const capture = new OutputCapture();
    const bytes = Buffer.from('好');
    capture.push(bytes.subarray(0, 1));
    capture.push(bytes.subarray(1));
    expect(capture.text()).toBe('好');
  });
});
