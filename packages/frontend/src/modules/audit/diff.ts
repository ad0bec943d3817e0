/** One place where two values differ. The path is in dots; empty for the value itself. */
export type Change =
  | { kind: 'added'; path: string; after: unknown }
  | { kind: 'removed'; path: string; before: unknown }
  | { kind: 'changed'; path: string; before: unknown; after: unknown };

/** Fields that move with every change and say nothing. */
const silent = new Set(['version', 'updateTime']);

/** What an audit row tells: where its two values differ, without what always does. */
export const tellingDiff = (before: unknown, after: unknown): Change[] =>
  diffOf(before, after).filter(({ kind, path }) => kind !== 'changed' || !silent.has(path));

/** Where two values differ, down to the smallest field; lists of plain values are one field. */
export function diffOf(before: unknown, after: unknown, path = ''): Change[] {
  if (isNothing(before) && isNothing(after)) return [];
  if (isFields(before) && (isFields(after) || isNothing(after)))
    return fieldChanges(before, isFields(after) ? after : {}, path);
  if (isNothing(before) && isFields(after)) return fieldChanges({}, after, path);
  return same(before, after) ? [] : [changeOf(before, after, path)];
}

/** The names of the outermost fields that differ: a change in one line. */
export const changedNames = (changes: readonly Change[]): string[] => [
  ...new Set(changes.map(({ path }) => path.split('.')[0] ?? '').filter((name) => name !== '')),
];

type Fields = Readonly<Record<string, unknown>>;

const isNothing = (value: unknown): value is null | undefined =>
  value === null || value === undefined;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function fieldChanges(before: Fields, after: Fields, path: string): Change[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) =>
    diffOf(before[name], after[name], path === '' ? name : `${path}.${name}`),
  );
}

function changeOf(before: unknown, after: unknown, path: string): Change {
  if (isNothing(before)) return { kind: 'added', path, after };
  if (isNothing(after)) return { kind: 'removed', path, before };
  return { kind: 'changed', path, before, after };
}

const same = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
