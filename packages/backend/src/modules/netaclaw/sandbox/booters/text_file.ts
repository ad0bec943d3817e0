import type { FileHandle } from 'node:fs/promises';
import { ComputerError } from '../components.js';
import { quotePath } from '../workspace_path.js';

/** Reads an open file as text; throws `ComputerError` when it is larger than `mostBytes` or no UTF-8 text. */
export async function readTextFile(
  file: FileHandle,
  options: { path: string; mostBytes: number },
): Promise<string> {
  const bytes = await readWhole(file, {
    ...options,
    advice: ' Look at a part of it instead, with a command or a search.',
  });
  const text = decodeText(bytes);
  if (text !== null) return text;
  throw new ComputerError(
    'not_text',
    `${quotePath(options.path)} is not UTF-8 text. Convert it first, or use a program that understands it.`,
  );
}

/** Reads an open file as it is; throws `ComputerError` when it is larger than `mostBytes`. */
export const readBinaryFile = (
  file: FileHandle,
  options: { path: string; mostBytes: number },
): Promise<Buffer> => readWhole(file, { ...options, advice: '' });

async function readWhole(
  file: FileHandle,
  { path, mostBytes, advice }: { path: string; mostBytes: number; advice: string },
): Promise<Buffer> {
  const bytes = await readUpTo(file, mostBytes + 1);
  if (bytes.length <= mostBytes) return bytes;
  throw new ComputerError(
    'too_large',
    `${quotePath(path)} is larger than ${mostBytes} bytes.${advice}`,
  );
}

/** The text of bytes, with a byte order mark kept; null when they are no UTF-8 text. */
export function decodeText(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Does not trust the size the system gives: a file can grow, and some have none. */
async function readUpTo(file: FileHandle, most: number): Promise<Buffer> {
  const { size } = await file.stat();
  let buffer = Buffer.alloc(Math.min(most, size + 1));
  let length = 0;
  for (;;) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length, null);
    length += bytesRead;
    if (bytesRead === 0 || length === most) return buffer.subarray(0, length);
    if (length === buffer.length) {
      buffer = Buffer.concat([buffer], Math.min(most, buffer.length * 2 + 4096));
    }
  }
}
