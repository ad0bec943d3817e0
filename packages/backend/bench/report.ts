/** One line of the report: what was measured, the figure, what it must not exceed. */
export interface Line {
  what: string;
  figure: string;
  must: string;
}

export function print(title: string, lines: readonly Line[]): void {
  process.stdout.write(`\n${title}\n`);
  const width = Math.max(...lines.map(({ what }) => what.length));
  for (const { what, figure, must } of lines) {
    process.stdout.write(`  ${what.padEnd(width)}  ${figure.padEnd(34)} (at most ${must})\n`);
  }
}

export const times = (value: number, base: number): string => `${(value / base).toFixed(2)} x`;
