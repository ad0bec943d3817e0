/** One word for a shell, whatever is in it. */
export const quoteWord = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
