/** Bytes of a tool result that reach the model and the storage. */
export const MAX_RESULT_BYTES = 64 * 1024;
const KEPT_HEAD = 44 * 1024;
const KEPT_TAIL = 16 * 1024;

/** True when a result is too long. UTF-8 bytes, counted only when the characters do not settle it. */
export function isTooLong(text: string): boolean {
  if (text.length > MAX_RESULT_BYTES) return true;
  if (text.length * 3 <= MAX_RESULT_BYTES) return false;
  return new TextEncoder().encode(text).length > MAX_RESULT_BYTES;
}

/** Head and tail of a long result with a line between them that says how much is gone and where it lies. */
export function capResult(text: string, spilledTo: string | null): string {
  const bytes = new TextEncoder().encode(text);
  const head = decode(bytes.subarray(0, KEPT_HEAD));
  const tail = decode(bytes.subarray(bytes.length - KEPT_TAIL));
  const cut = bytes.length - KEPT_HEAD - KEPT_TAIL;
  const where = spilledTo === null ? '' : ` The full text is in ${spilledTo}.`;
  return `${head}\n\n[... ${cut} of ${bytes.length} bytes were cut here.${where}]\n\n${tail}`;
}

/** A cut through a character leaves no half of it. */
const decode = (bytes: Uint8Array): string =>
  new TextDecoder().decode(bytes).replace(/^\ufffd+|\ufffd+$/g, '');
