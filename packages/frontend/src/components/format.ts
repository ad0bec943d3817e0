import dayjs from 'dayjs';

/** A time of the server in this browser's zone. */
export const timeText = (iso: string): string => dayjs(iso).format('YYYY-MM-DD HH:mm:ss');

/** A duration as people read it. */
export function durationText(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  return `${Math.floor(milliseconds / 60_000)} min ${Math.round((milliseconds % 60_000) / 1000)} s`;
}

/** Any value as an operator reads it beside another. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return '—';
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
