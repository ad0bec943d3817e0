/** A field that is not the same in all three versions of a row. */
export interface Difference<Key extends string = string> {
  key: Key;
  base: unknown;
  mine: unknown;
  theirs: unknown;
  changedBy: 'me' | 'them' | 'both';
}

/** What was read, what was made of it here, and what somebody else has stored meanwhile. */
export interface Versions<D> {
  base: D;
  mine: D;
  theirs: D;
}

export type Choice = 'mine' | 'theirs';
type KeyOf<D> = keyof D & string;

/** Where two people's changes of the same row differ from what both began with. */
export function differences<D extends object>(
  { base, mine, theirs }: Versions<D>,
  keys: readonly KeyOf<D>[],
): Difference<KeyOf<D>>[] {
  return keys.flatMap((key) => {
    const byMe = !isSame(base[key], mine[key]);
    const byThem = !isSame(base[key], theirs[key]);
    if ((!byMe && !byThem) || isSame(mine[key], theirs[key])) return [];
    const changedBy = byMe && byThem ? 'both' : byMe ? 'me' : 'them';
    return [{ key, base: base[key], mine: mine[key], theirs: theirs[key], changedBy }];
  });
}

/** Both people's changes in one: where both changed the same field, the choice decides. */
export function merged<D extends object>(
  versions: Versions<D>,
  keys: readonly KeyOf<D>[],
  choices: Readonly<Partial<Record<string, Choice>>>,
): D {
  const result = { ...versions.theirs };
  for (const { key, changedBy } of differences(versions, keys)) {
    const choice = choices[key] ?? (changedBy === 'them' ? 'theirs' : 'mine');
    if (choice === 'mine') result[key] = versions.mine[key];
  }
  return result;
}

/** The fields of `now` that are not as in `base`. */
export function changesOf<D extends object>(
  base: D,
  now: D,
  keys: readonly KeyOf<D>[],
): Partial<D> {
  const changes: Partial<D> = {};
  for (const key of keys) if (!isSame(base[key], now[key])) changes[key] = now[key];
  return changes;
}

/** Equal as JSON, whatever the order of an object's fields. */
export const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(inOrder(one)) === JSON.stringify(inOrder(other));

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, field]) => [key, inOrder(field)] as const);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
