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
