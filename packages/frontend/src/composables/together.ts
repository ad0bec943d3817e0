import { isSame } from './same.js';

interface Values {
  base: unknown;
  mine: unknown;
  theirs: unknown;
}

/**
 * Two changes of one field in one value, so that neither is lost: lists item by item, records name by
 * name. Undefined where the two contradict each other.
 */
export function together(values: Values): unknown {
  const { base, mine, theirs } = values;
  if (isSame(mine, theirs) || isSame(base, theirs)) return mine;
  if (isSame(base, mine)) return theirs;
  const [lists, records] = [listsOf(values), recordsOf(values)];
  if (lists) return togetherLists(lists);
  return records ? togetherRecords(records) : undefined;
}

type Three<T> = Record<keyof Values, T>;

/** Mine, without what they took out and with what they put in. */
function togetherLists({ base, mine, theirs }: Three<unknown[]>): unknown[] | undefined {
  if (isReordered(base, mine) || isReordered(base, theirs)) return undefined;
  const added = [...mine, ...theirs].filter((item) => !has(base, item));
  const gone = base.filter((item) => !has(mine, item) && !has(theirs, item));
  // A record that both took out may be one that each of them changed.
  if (added.length > 0 && gone.some((item) => typeof item === 'object')) return undefined;
  const kept = mine.filter((item) => !has(base, item) || has(theirs, item));
  return [...kept, ...theirs.filter((item) => !has(base, item) && !has(mine, item))];
}

function togetherRecords({
  base,
  mine,
  theirs,
}: Three<Map<string, unknown>>): Record<string, unknown> | undefined {
  const result = new Map<string, unknown>();
  for (const name of new Set([...theirs.keys(), ...mine.keys()])) {
    const values = { base: base.get(name), mine: mine.get(name), theirs: theirs.get(name) };
    const changed = isSame(values.base, values.mine) ? theirs : mine;
    const isOneSided = isSame(values.base, values.mine) || isSame(values.base, values.theirs);
    if (isOneSided && !changed.has(name)) continue;
    const value = together(values);
    if (value === undefined) return undefined;
    result.set(name, value);
  }
  return Object.fromEntries(result);
}

/** A list that is not there is an empty one, as long as another is. */
function listsOf({ base, mine, theirs }: Values): Three<unknown[]> | null {
  if (![base, mine, theirs].some(Array.isArray)) return null;
  const [before, here, there] = [listOf(base), listOf(mine), listOf(theirs)];
  return before && here && there ? { base: before, mine: here, theirs: there } : null;
}

function listOf(value: unknown): unknown[] | null {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : null;
}

function recordsOf({ base, mine, theirs }: Values): Three<Map<string, unknown>> | null {
  const [before, here, there] = [recordOf(base), recordOf(mine), recordOf(theirs)];
  return before && here && there ? { base: before, mine: here, theirs: there } : null;
}

function recordOf(value: unknown): Map<string, unknown> | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  return new Map(Object.entries(value));
}

const has = (list: readonly unknown[], item: unknown): boolean =>
  list.some((other) => isSame(other, item));

/** Whether what both have stands in another order. */
function isReordered(base: readonly unknown[], now: readonly unknown[]): boolean {
  const [before, after] = [base.filter((i) => has(now, i)), now.filter((i) => has(base, i))];
  return !isSame(before, after);
}
