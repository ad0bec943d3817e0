import type { PageRequest } from '@netaclaw/contracts';
import type { LocationQuery } from 'vue-router';
import type { z } from 'zod';

/** The schema of a page's body, as the contracts make it. */
export type PageSchema = z.ZodType<PageRequest>;

/** How a page is cut and ordered; all else in its body filters. */
export const notFilters: ReadonlySet<string> = new Set(['page', 'size', 'order', 'sort']);

/** What an address asks of a page. */
export interface AskedPage<Body> {
  body: Body;
  /** The filters that the schema refuses: the page is shown without them, and has to say so. */
  refused: readonly string[];
}

/**
 * The page request that an address stands for. What the address holds besides, or holds in a form the
 * schema refuses, is left out: an old link shows a page, not an error.
 */
export function readQuery<S extends PageSchema>(
  schema: S,
  query: LocationQuery,
): AskedPage<z.output<S>> {
  const fields: Record<string, unknown> = { ...query };
  const wrong = new Set<string>();
  for (;;) {
    const parsed = schema.safeParse(fields);
    if (parsed.success) {
      const dropped = Object.keys(query).filter((name) => wrong.has(name) && !(name in fields));
      return { body: parsed.data, refused: dropped.filter((name) => isFilter(name, query)) };
    }
    for (const issue of parsed.error.issues) {
      if (issue.code !== 'unrecognized_keys') wrong.add(String(issue.path[0]));
      for (const name of namesOf(issue)) mend(fields, name);
    }
  }
}

const isFilter = (name: string, query: LocationQuery): boolean =>
  !notFilters.has(name) && Boolean(query[name]);

/** The query with these fields changed; an empty value takes its field out. */
export function changedQuery(
  query: LocationQuery,
  changes: Record<string, unknown>,
): LocationQuery {
  const entries = Object.entries({ ...query, ...changes })
    .filter(([, value]) => value !== undefined && value !== null && value !== '')
    .map(([name, value]) => [name, Array.isArray(value) ? value : String(value)]);
  return Object.fromEntries(entries);
}

function namesOf(issue: z.core.$ZodIssue): string[] {
  return issue.code === 'unrecognized_keys' ? issue.keys : [String(issue.path[0])];
}

/** In an address every value is text: a number is tried as one, and dropped when that is wrong too. */
function mend(fields: Record<string, unknown>, name: string): void {
  const value = fields[name];
  if (typeof value === 'string' && /^-?\d{1,9}$/.test(value)) fields[name] = Number(value);
  else delete fields[name];
}
