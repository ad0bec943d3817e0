/** Bytes of a tool result that reach the model and the storage. */
export const MAX_RESULT_BYTES = 64 * 1024;
/** Of what may stay: the rest is left for the line between. */
const HEAD_SHARE = 11 / 16;
const TAIL_SHARE = 4 / 16;

/** True when a result is too long. UTF-8 bytes, counted only when the characters do not settle it. */
export function isTooLong(text: string, maxBytes = MAX_RESULT_BYTES): boolean {
  if (text.length > maxBytes) return true;
  if (text.length * 3 <= maxBytes) return false;
  return new TextEncoder().encode(text).length > maxBytes;
}

/**
 * Head and tail of a long result with a line between them that says how much is gone and where it lies.
 * A tool may have left out some of its output before; the line claims no more than what was returned.
 */
export function capResult(
  text: string,
  spilledTo: string | null,
  maxBytes = MAX_RESULT_BYTES,
): string {
  const headBytes = Math.floor(maxBytes * HEAD_SHARE);
  const tailBytes = Math.floor(maxBytes * TAIL_SHARE);
  const bytes = new TextEncoder().encode(text);
  const head = decode(bytes.subarray(0, headBytes));
  const tail = decode(bytes.subarray(bytes.length - tailBytes));
  const cut = bytes.length - headBytes - tailBytes;
  const where =
    spilledTo === null
      ? ' They lie nowhere that a tool reaches: ask for a part, or for less.'
      : ` What the tool returned is in ${spilledTo}; where it marks output as left out, that was not kept.`;
  return `${head}\n\n[... ${cut} of ${bytes.length} bytes were cut here.${where}]\n\n${tail}`;
}

/** A cut through a character leaves no half of it. */
const decode = (bytes: Uint8Array): string =>
  new TextDecoder().decode(bytes).replace(/^\ufffd+|\ufffd+$/g, '');

const SPILLED =
  /\n\n\[\.\.\. [^\]]*(?:What the tool returned is in (.+?); where |The whole is in (.+?)\.\]\n\n)/;
/** About what the line between takes. */
const LINE_BYTES = 200;

/** A result that is too long for the model's context, in about so many bytes; it says where the whole one is. */
export function shortenResult(text: string, maxBytes: number): string {
  const found = SPILLED.exec(text);
  const spilledTo = found?.[1] ?? found?.[2] ?? null;
  const room = Math.max(0, maxBytes - LINE_BYTES);
  const bytes = new TextEncoder().encode(text);
  const head = decode(bytes.subarray(0, Math.floor((room * 3) / 4)));
  const tail = decode(bytes.subarray(bytes.length - Math.floor(room / 4)));
  const where =
    spilledTo === null
      ? 'Call the tool again for less at a time.'
      : `The whole is in ${spilledTo}.`;
  return `${head}\n\n[... shortened from ${bytes.length} bytes to fit the context. ${where}]\n\n${tail}`;
}
