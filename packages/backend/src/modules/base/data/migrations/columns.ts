import { Table, TableIndex, type QueryRunner, type TableColumnOptions } from 'typeorm';

type Options = Omit<TableColumnOptions, 'name' | 'type'>;

/** Column types that stand on SQLite and on MySQL alike. */
export interface Columns {
  autoId(): TableColumnOptions;
  int(name: string, options?: Options): TableColumnOptions;
  varchar(name: string, length: number, options?: Options): TableColumnOptions;
  /** Text without a length that matters: on MySQL four gigabytes. */
  text(name: string, options?: Options): TableColumnOptions;
  json(name: string, options?: Options): TableColumnOptions;
  /** With milliseconds. */
  time(name: string, options?: Options): TableColumnOptions;
}

const isMysql = (runner: QueryRunner): boolean => runner.connection.options.type === 'mysql';

export function columnsFor(runner: QueryRunner): Columns {
  const mysql = isMysql(runner);
  const int = mysql ? 'int' : 'integer';
  return {
    autoId: () => ({
      name: 'id',
      type: int,
      isPrimary: true,
      isGenerated: true,
      generationStrategy: 'increment',
    }),
    int: (name, options) => ({ name, type: int, ...options }),
    varchar: (name, length, options) => ({
      name,
      type: 'varchar',
      length: String(length),
      ...options,
    }),
    text: (name, options) => ({ name, type: mysql ? 'longtext' : 'text', ...options }),
    json: (name, options) => ({ name, type: 'json', ...options }),
    time: (name, options) => ({
      name,
      type: 'datetime',
      ...(mysql ? { precision: 3 } : {}),
      ...options,
    }),
  };
}

export interface TableDefinition {
  name: string;
  columns: TableColumnOptions[];
  indices?: { columns: string[]; unique?: boolean }[];
}

/** Makes a table with its indices; the names of the indices follow from table and columns. */
export async function createTable(runner: QueryRunner, definition: TableDefinition): Promise<void> {
  const { name, columns, indices = [] } = definition;
  const engine = isMysql(runner)
    ? { engine: 'InnoDB ROW_FORMAT=DYNAMIC CHARSET=utf8mb4 COLLATE=utf8mb4_bin' }
    : {};
  await runner.createTable(new Table({ name, columns, ...engine }), true);
  for (const { columns: columnNames, unique = false } of indices) {
    const indexName = `${unique ? 'uq' : 'ix'}_${name}_${columnNames.join('_')}`;
    await runner.createIndex(
      name,
      new TableIndex({ name: indexName, columnNames, isUnique: unique }),
    );
  }
}

/** Adds nullable columns in place: TypeORM would copy the whole table on SQLite. */
export async function addColumns(
  runner: QueryRunner,
  table: string,
  columns: readonly TableColumnOptions[],
): Promise<void> {
  for (const { name, type, length } of columns) {
    const size = length === undefined ? '' : `(${length})`;
    await runner.query(`ALTER TABLE ${table} ADD COLUMN ${name} ${type}${size} NULL`);
  }
}

export async function dropColumns(
  runner: QueryRunner,
  table: string,
  names: readonly string[],
): Promise<void> {
  for (const name of names) await runner.query(`ALTER TABLE ${table} DROP COLUMN ${name}`);
}
