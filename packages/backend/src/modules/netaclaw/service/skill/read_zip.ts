import { crc32 } from 'node:zlib';
import { SKILL_LIMITS } from '@netaclaw/contracts';
import { fromBufferPromise, getFileNameLowLevel, type Entry, type ZipFile } from 'yauzl';
import { invalid } from '../../../base/error.js';
import {
  shown,
  tooLargeFile,
  tooLargeTotal,
  tooManyFiles,
  type PackedFile,
} from './skill_package.js';

/** Unpacked sizes are believed only as far as these limits; the reader stops at the first byte beyond. */
const FOLDERS = 200;
const KIND_MASK = 0o170000;
const LINK = 0o120000;
const REGULAR = 0o100000;
const UNIX = 3;

/**
 * The files of a zip. Throws `DomainError` at the path of an entry that is a link, encrypted, damaged or
 * too large; nothing is ever unpacked beyond the limits of a skill, whatever the zip says of itself.
 */
export async function readZip(bytes: Buffer): Promise<PackedFile[]> {
  const zip = await openZip(bytes);
  const files: PackedFile[] = [];
  let left: number = SKILL_LIMITS.total;
  try {
    for await (const entry of zip.eachEntry()) {
      const path = nameOf(entry);
      if (path.endsWith('/')) continue;
      refuseKind(entry, path);
      const content = await unpack(zip, { entry, path, left });
      left -= content.length;
      files.push({ path, bytes: content });
    }
  } catch (error) {
    throw unreadable(error);
  } finally {
    zip.close();
  }
  return files;
}

async function openZip(bytes: Buffer): Promise<ZipFile> {
  try {
    // Names are decoded and judged by ourselves, so that a bad one is told at its path.
    const zip = await fromBufferPromise(bytes, { lazyEntries: true, decodeStrings: false });
    if (zip.entryCount <= SKILL_LIMITS.files + 1 + FOLDERS) return zip;
    throw invalid([{ path: '', message: tooManyFiles }]);
  } catch (error) {
    throw unreadable(error);
  }
}

/** Strict: a backslash stays one, so that it is seen and refused. */
const nameOf = (entry: Entry): string =>
  getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, true);

function refuseKind(entry: Entry, path: string): void {
  const mode = entry.versionMadeBy >> 8 === UNIX ? entry.externalFileAttributes >>> 16 : 0;
  const kind = mode & KIND_MASK;
  if (kind === LINK) refuse(path, 'is a link; pack the file itself');
  if (kind !== 0 && kind !== REGULAR) refuse(path, 'is no ordinary file');
  if (entry.isEncrypted()) refuse(path, 'is encrypted');
  if (!entry.canDecodeFileData())
    refuse(path, 'is packed in a way that is not supported; use deflate');
  if (entry.uncompressedSize > SKILL_LIMITS.file) refuse(path, tooLargeFile);
}

async function unpack(
  zip: ZipFile,
  { entry, path, left }: { entry: Entry; path: string; left: number },
): Promise<Buffer> {
  if (entry.uncompressedSize > left) refuse('', tooLargeTotal);
  const chunks: Buffer[] = [];
  let size = 0;
  const stream = await zip.openReadStreamPromise(entry);
  for await (const chunk of stream) {
    if (!Buffer.isBuffer(chunk)) continue;
    size += chunk.length;
    if (size > entry.uncompressedSize) refuse(path, 'is larger than the zip says');
    chunks.push(chunk);
  }
  const content = Buffer.concat(chunks, size);
  if (crc32(content) !== entry.crc32) refuse(path, 'is damaged: its checksum is wrong');
  return content;
}

function refuse(path: string, message: string): never {
  throw invalid([{ path: shown(path), message }]);
}

function unreadable(error: unknown): Error {
  if (!(error instanceof Error) || error.name === 'DomainError') {
    return error instanceof Error ? error : new Error('unknown', { cause: error });
  }
  return invalid([{ path: '', message: `the zip could not be read: ${error.message}` }]);
}
