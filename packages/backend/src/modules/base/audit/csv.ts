/** The first bytes of a CSV file, by which spreadsheets know that it is UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF';

/** One line of CSV. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(csvCell).join(',')}\r\n`;

/** A cell that a spreadsheet shows as text: one it would take for a formula begins with `'`. */
export function csvCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n\t]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
