import type { FiguresBody } from '@netaclaw/contracts';
import dayjs from 'dayjs';

/** The windows of time that the charts can show. */
export const windowKeys = ['24h', '7d', '30d'] as const;
export type WindowKey = (typeof windowKeys)[number];

/** A window of the address; what is none is the shortest. */
export const toWindow = (value: unknown): WindowKey =>
  windowKeys.find((key) => key === value) ?? '24h';

const sizes: Record<WindowKey, { hours: number; stepHours: number }> = {
  '24h': { hours: 24, stepHours: 1 },
  '7d': { hours: 7 * 24, stepHours: 6 },
  '30d': { hours: 30 * 24, stepHours: 24 },
};

/** The window up to `now`, its steps beginning at whole hours, or with the days of this browser's zone. */
export function figuresBodyOf(key: WindowKey, now: Date): FiguresBody {
  const { hours, stepHours } = sizes[key];
  const unit = stepHours === 1 ? 'hour' : 'day';
  const to = dayjs(now).startOf(unit).add(1, unit);
  return {
    from: to.subtract(hours, 'hour').toISOString(),
    to: to.toISOString(),
    stepHours,
  };
}

/** How a step is named: short on an axis, with all of it elsewhere. */
export const stepText = (key: WindowKey, iso: string): string =>
  dayjs(iso).format(key === '24h' ? 'HH:mm' : key === '7d' ? 'MM-DD HH:mm' : 'MM-DD');
