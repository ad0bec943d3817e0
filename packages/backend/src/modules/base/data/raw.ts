/** A time as a raw row carries it: text in UTC from SQLite, a `Date` from MySQL. */
export type RawTime = Date | string;

/** Reads the time of a raw row. */
export const timeOf = (raw: RawTime): Date =>
  raw instanceof Date ? raw : new Date(`${raw.replace(' ', 'T')}Z`);

/** A time as a raw statement stores it on both databases: UTC, with milliseconds. */
export const sqlTime = (time: Date): string => time.toISOString().slice(0, -1).replace('T', ' ');

/** Reads the JSON of a raw row: text from SQLite and MariaDB, a value from MySQL. */
export const jsonOf = (raw: unknown): unknown => (typeof raw === 'string' ? JSON.parse(raw) : raw);
