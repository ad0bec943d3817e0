/** The images that models of all protocols take, by how their bytes begin. */
const beginnings: readonly (readonly [mime: string, begins: string])[] = [
  ['image/png', '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', '\xff\xd8\xff'],
  ['image/gif', 'GIF87a'],
  ['image/gif', 'GIF89a'],
];
const LONGEST = 12;

/** What an image is, whatever it is called; null: its bytes are no image that models take. */
export function imageTypeOf(bytes: Buffer): string | null {
  const start = bytes.toString('latin1', 0, LONGEST);
  // The four bytes between hold a length.
  if (start.startsWith('RIFF') && start.endsWith('WEBP')) return 'image/webp';
  return beginnings.find(([, begins]) => start.startsWith(begins))?.[0] ?? null;
}
