/** The beginning of a text, at most so many UTF-16 units, never through the middle of a character. */
export function cutText(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  const isFirstHalf = text.length > length && last >= 0xd800 && last < 0xdc00;
  return text.slice(0, isFirstHalf ? length - 1 : length);
}
