/** Words for single values of a field; undefined where the general form will do. */
export type Wording = (key: string, value: unknown) => string | undefined;

type Translate = (key: string) => string;

/** Texts from this length on, or of several lines, are read as a difference to what was before. */
const LONG = 120;

export const isLongText = (value: unknown): value is string =>
  typeof value === 'string' && (value.length >= LONG || value.includes('\n'));

/** A value as an operator reads it: no JSON but for what is deeper than a list of named values. */
export function readable(value: unknown, t: Translate): string {
  if (value === null || value === undefined || value === '') return t('common.none');
  if (typeof value === 'boolean') return t(value ? 'common.on' : 'common.off');
  if (Array.isArray(value))
    return value.map((part) => readable(part, t)).join(', ') || t('common.none');
  if (typeof value !== 'object') return String(value);
  const lines = Object.entries(value).map(([name, field]) => `${name}: ${readable(field, t)}`);
  return lines.join('\n') || t('common.none');
}

/** The same for an object whose fields have names of their own, by the messages that hold them. */
export function namedFields(
  value: unknown,
  names: Readonly<Record<string, string>>,
  t: Translate,
): string {
  if (typeof value !== 'object' || value === null) return readable(value, t);
  const lines = Object.entries(value).map(([key, field]) => {
    const name = names[key];
    return `${name === undefined ? key : t(name)}: ${readable(field, t)}`;
  });
  return lines.join('\n') || t('common.none');
}

/** `1` and `0` of a status. */
export const statusWord = (value: unknown, t: Translate): string =>
  t(value === 1 ? 'common.on' : 'common.off');
