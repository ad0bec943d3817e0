import { figuresBodySchema } from '@netaclaw/contracts';
import dayjs from 'dayjs';
import { describe, expect, it } from 'vitest';
import { figuresBodyOf, stepText, toWindow, windowKeys } from './window.js';

const now = dayjs('2026-03-10T14:25:00').toDate();
const local = (iso: string) => dayjs(iso).format('MM-DD HH:mm');

describe('the window of the charts', () => {
  it.each([
    ['24h', ['03-09 15:00', '03-10 15:00', 1]],
    ['7d', ['03-04 00:00', '03-11 00:00', 6]],
    ['30d', ['02-09 00:00', '03-11 00:00', 24]],
  ] as const)('%s holds whole steps up to now', (key, expected) => {
    const body = figuresBodyOf(key, now);
    expect([local(body.from), local(body.to), body.stepHours]).toEqual(expected);
  });

  it.each(windowKeys)('%s is one that the server takes', (key) => {
    expect(figuresBodySchema.safeParse(figuresBodyOf(key, now)).success).toBe(true);
  });

  it.each([
    ['7d', '7d'],
    ['2y', '24h'],
    [undefined, '24h'],
  ])('reads %s of an address as %s', (value, expected) => {
    expect(toWindow(value)).toBe(expected);
  });

  it('names a step as long as the window needs', () => {
    expect(windowKeys.map((key) => stepText(key, now.toISOString()))).toEqual([
      '14:25',
      '03-10 14:25',
      '03-10',
    ]);
  });
});
