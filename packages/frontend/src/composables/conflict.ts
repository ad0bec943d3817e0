import { isSame } from './same.js';
import { together } from './together.js';

/** A field that is not the same in all three versions of a row. */
export interface Difference<Key extends string = string> {
  key: Key;
  base: unknown;
  mine: unknown;
  theirs: unknown;
  changedBy: 'me' | 'them' | 'both';
  /** Both changes of the field in one; undefined where they contradict each other. */
  together?: unknown;
}

/** What was read, what was made of it here, and what somebody else has stored meanwhile. */
export interface Versions<D> {
  base: D;
  mine: D;
  theirs: D;
}

export type Choice = 'mine' | 'theirs' | 'together';
type KeyOf<D> = keyof D & string;

/** Where two people's changes of the same row differ from what both began with. */
export function differences<D extends object>(
  { base, mine, theirs }: Versions<D>,
  keys: readonly KeyOf<D>[],
): Difference<KeyOf<D>>[] {
  return keys.flatMap((key): Difference<KeyOf<D>>[] => {
    const byMe = !isSame(base[key], mine[key]);
    const byThem = !isSame(base[key], theirs[key]);
    if ((!byMe && !byThem) || isSame(mine[key], theirs[key])) return [];
    const values = { base: base[key], mine: mine[key], theirs: theirs[key] };
    if (byMe && byThem) return [{ key, ...values, changedBy: 'both', together: together(values) }];
    return [{ key, ...values, changedBy: byMe ? 'me' : 'them' }];
  });
}

/** What is chosen until somebody chooses: whatever loses nothing, else what was typed here. */
export function presetOf({ changedBy, together: both }: Difference): Choice {
  if (changedBy === 'them') return 'theirs';
  return both === undefined ? 'mine' : 'together';
}

/** Both people's changes in one: where both changed the same field, the choice decides. */
export function merged<D extends object>(
  versions: Versions<D>,
  keys: readonly KeyOf<D>[],
  choices: Readonly<Partial<Record<string, Choice>>>,
): D {
  const chosen = differences(versions, keys).map((difference) => {
    const choice = choices[difference.key] ?? presetOf(difference);
    return [difference.key, difference[choice]] as const;
  });
  return Object.assign({ ...versions.theirs }, Object.fromEntries(chosen));
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
