import type { Page, PageRequest } from '@netaclaw/contracts';
import { In, type ObjectLiteral, type Repository, type SelectQueryBuilder } from 'typeorm';

type Column<T> = keyof T & string;

/** Bounds of a time column, both included, as a body gives them: ISO 8601. */
export interface TimeRange {
  from?: string | undefined;
  to?: string | undefined;
}

/** Which rows are meant. Every column name comes from the code. */
export interface RowFilter<T> {
  /** Values that a row must have; null: none. `undefined` asks for nothing. */
  equal?: Readonly<Partial<Record<Column<T>, string | number | null | undefined>>>;
  ranges?: Readonly<Partial<Record<Column<T>, TimeRange>>>;
}

/** What a page may be asked for, beyond its body. */
export interface PageOptions<T> extends RowFilter<T> {
  /** The parsed body: its schema has held `order` to a whitelist. */
  request: PageRequest;
  /** Where `keyWord` is looked for, as a part and in any case. */
  keyWordColumns?: readonly Column<T>[];
  /** Rows that `keyWord` finds besides, by what stands elsewhere. */
  keyWordAlso?: { column: Column<T>; values: readonly string[] };
  /** The order of a body that names none; else the newest id first. */
  order?: { column: Column<T>; sort: 'asc' | 'desc' };
  /** The columns to read; all when left out. `id` is always read. */
  columns?: readonly Column<T>[];
}

/** A table whose key is `id`. */
export interface Keyed extends ObjectLiteral {
  id: number | string;
}

/**
 * One page of rows. The ids of the page are found first, in order, with the id to break ties, so that
 * the database skips rows within an index; only the rows of the page itself are read whole.
 */
export async function pageQuery<T extends Keyed>(
  repository: Repository<T>,
  options: PageOptions<T>,
): Promise<Page<T>> {
  const { page, size } = options.request;
  const total = await countRows(repository, options);
  const window = windowOf({ page, size, total });
  const ids = window.limit > 0 ? await idsOf(repository, { options, window }) : [];
  return { list: await rowsOf(repository, { ids, options }), pagination: { page, size, total } };
}

async function countRows<T extends Keyed>(
  repository: Repository<T>,
  options: PageOptions<T>,
): Promise<number> {
  const query = matching(repository, options).select('COUNT(*)', 'total');
  const row = await query.getRawOne<{ total: number | string }>();
  return Number(row?.total ?? 0);
}

/** Where the rows of a page lie. `backwards`: counted from the end, which is nearer. */
export interface PageWindow {
  offset: number;
  limit: number;
  backwards: boolean;
}

/** A page in the second half is read from the end, so that no more than half of the rows are skipped. */
export function windowOf({ page, size, total }: Page<never>['pagination']): PageWindow {
  const offset = (page - 1) * size;
  const limit = Math.max(0, Math.min(size, total - offset));
  const fromEnd = Math.max(0, total - offset - limit);
  return fromEnd < offset
    ? { offset: fromEnd, limit, backwards: true }
    : { offset, limit, backwards: false };
}

async function idsOf<T extends Keyed>(
  repository: Repository<T>,
  { options, window }: { options: PageOptions<T>; window: PageWindow },
): Promise<T['id'][]> {
  const { column, ascending } = orderOf(options);
  const direction = ascending === window.backwards ? 'DESC' : 'ASC';
  const query = matching(repository, options)
    .select('row.id', 'id')
    .orderBy(columnOf(repository, column), direction)
    .limit(window.limit)
    .offset(window.offset);
  if (column !== 'id') query.addOrderBy('row.id', direction);
  const ids = (await query.getRawMany<{ id: T['id'] }>()).map(({ id }) => id);
  return window.backwards ? ids.toReversed() : ids;
}

/** The body's own word, else the page's, else the newest id first. */
function orderOf<T>({ request, order }: PageOptions<T>): { column: string; ascending: boolean } {
  const usual = request.order === undefined ? order : undefined;
  return {
    column: request.order ?? usual?.column ?? 'id',
    ascending: (request.sort ?? usual?.sort) === 'asc',
  };
}

async function rowsOf<T extends Keyed>(
  repository: Repository<T>,
  { ids, options }: { ids: readonly T['id'][]; options: PageOptions<T> },
): Promise<T[]> {
  if (ids.length === 0) return [];
  const query = repository.createQueryBuilder('row').where({ id: In(ids) });
  if (options.columns) query.select(['id', ...options.columns].map((name) => `row.${name}`));
  const byId = new Map((await query.getMany()).map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** A query, with the alias `row`, for the rows that the filters leave. */
export function filteredRows<T extends Keyed>(
  repository: Repository<T>,
  { equal, ranges }: RowFilter<T>,
): SelectQueryBuilder<T> {
  const query = repository.createQueryBuilder('row');
  for (const [name, value] of Object.entries<string | number | null | undefined>(equal ?? {})) {
    if (value === undefined) continue;
    if (value === null) query.andWhere(`${columnOf(repository, name)} IS NULL`);
    else
      query.andWhere(`${columnOf(repository, name)} = :equal_${name}`, {
        [`equal_${name}`]: value,
      });
  }
  for (const [name, range] of Object.entries<TimeRange | undefined>(ranges ?? {})) {
    addRange(query, columnOf(repository, name), { name, ...range });
  }
  return query;
}

function matching<T extends Keyed>(
  repository: Repository<T>,
  options: PageOptions<T>,
): SelectQueryBuilder<T> {
  const query = filteredRows(repository, options);
  const columns = (options.keyWordColumns ?? []).map((name) => columnOf(repository, name));
  const { keyWord } = options.request;
  addKeyWord(query, { columns, keyWord, also: alsoOf(repository, options) });
  return query;
}

interface KeyWordTest {
  columns: readonly string[];
  keyWord: string | undefined;
  also: { column: string; values: readonly string[] } | null;
}

function alsoOf<T extends Keyed>(
  repository: Repository<T>,
  { keyWordAlso }: PageOptions<T>,
): KeyWordTest['also'] {
  if (!keyWordAlso || keyWordAlso.values.length === 0) return null;
  return { column: columnOf(repository, keyWordAlso.column), values: keyWordAlso.values };
}

function addKeyWord<T extends Keyed>(
  query: SelectQueryBuilder<T>,
  { columns, keyWord, also }: KeyWordTest,
): void {
  if (keyWord === undefined || keyWord.trim() === '' || columns.length === 0) return;
  // SQLite's LIKE takes letters of either case by itself, as far as its LOWER goes, at half the cost.
  const lower = query.connection.options.type === 'mysql' ? 'LOWER' : '';
  const tests = columns.map((column) => `${lower}(${column}) LIKE ${lower}(:keyWord) ESCAPE '!'`);
  if (also) tests.push(`${also.column} IN (:...also)`);
  query.andWhere(`(${tests.join(' OR ')})`, {
    keyWord: `%${escapeLike(keyWord.trim())}%`,
    ...(also ? { also: also.values } : {}),
  });
}

/** Not a backslash: MySQL and SQLite read one differently within quotes. */
const escapeLike = (text: string): string => text.replace(/[!%_]/g, '!$&');

function addRange<T extends Keyed>(
  query: SelectQueryBuilder<T>,
  column: string,
  { name, from, to }: TimeRange & { name: string },
): void {
  if (from !== undefined)
    query.andWhere(`${column} >= :from_${name}`, { [`from_${name}`]: new Date(from) });
  if (to !== undefined)
    query.andWhere(`${column} <= :to_${name}`, { [`to_${name}`]: new Date(to) });
}

/** A column as the query names it. Throws for one that the table has not: that is a mistake in the code. */
function columnOf<T extends Keyed>(repository: Repository<T>, name: string): string {
  if (repository.metadata.findColumnWithPropertyName(name)) return `row.${name}`;
  throw new Error(`${repository.metadata.tableName} has no column ${name}`);
}
