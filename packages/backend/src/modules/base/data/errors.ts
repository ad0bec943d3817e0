const uniqueCodes: ReadonlySet<unknown> = new Set([
  'SQLITE_CONSTRAINT_UNIQUE',
  'SQLITE_CONSTRAINT_PRIMARYKEY',
  'ER_DUP_ENTRY',
]);

/** True when a write failed because a unique value is taken, on SQLite as on MySQL. */
export function isUniqueViolation(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  if ('code' in error && uniqueCodes.has(error.code)) return true;
  return 'driverError' in error && isUniqueViolation(error.driverError);
}
