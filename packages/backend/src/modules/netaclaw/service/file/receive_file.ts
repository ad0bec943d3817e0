import { createWriteStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import busboy from 'busboy';
import { DomainError, invalid } from '../../../base/error.js';

/** Bytes of one uploaded file. */
export const MAX_FILE_BYTES = 100 * 1024 * 1024;
const MAX_NAME = 255;

export interface ReceivedFile {
  name: string;
  mime: string;
  size: number;
}

/** Writes the field `file` of a multipart body to `path` as it comes in. */
export function receiveFile(incoming: IncomingMessage, path: string): Promise<ReceivedFile> {
  const parser = parserFor(incoming);
  return new Promise((resolve, reject) => {
    let receiving: Promise<ReceivedFile> | null = null;
    parser.on('file', (field, stream, { filename, mimeType }) => {
      if (field !== 'file' || receiving) {
        stream.resume();
        reject(unexpectedPart(field));
        return;
      }
      receiving = store(stream, path, { name: nameOf(filename), mime: mimeType });
      receiving.catch(reject);
    });
    parser.on('field', (field) => reject(unexpectedPart(field)));
    parser.on('error', (error) => reject(unreadable(error)));
    // It closes after an error too, so a refusal made here must not be a promise that nobody awaits.
    parser.on('close', () => (receiving ? resolve(receiving) : reject(noFile())));
    incoming.on('aborted', () => parser.destroy(new Error('it was broken off')));
    incoming.pipe(parser);
  });
}

function parserFor(incoming: IncomingMessage): busboy.Busboy {
  try {
    return busboy({
      headers: incoming.headers,
      defParamCharset: 'utf8',
      limits: { files: 2, fields: 20, fileSize: MAX_FILE_BYTES, fieldSize: 10_000 },
    });
  } catch (error) {
    throw unreadable(error);
  }
}

async function store(
  stream: Readable & { truncated?: boolean },
  path: string,
  { name, mime }: Omit<ReceivedFile, 'size'>,
): Promise<ReceivedFile> {
  let size = 0;
  stream.on('data', (chunk: Buffer) => (size += chunk.length));
  await pipeline(stream, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  if (stream.truncated) {
    throw new DomainError('tooLarge', `a file may have at most ${MAX_FILE_BYTES} bytes`);
  }
  return { name, mime, size };
}

/** The bare name, without folders or control characters. */
function nameOf(filename: string | undefined): string {
  const clean = basename((filename ?? '').replaceAll('\\', '/')).replace(/\p{Cc}/gu, '');
  return clean.slice(0, MAX_NAME) || 'file';
}

const unexpectedPart = (field: string): DomainError =>
  invalid([
    { path: field, message: 'send one file in the multipart field "file" and nothing else' },
  ]);

const noFile = (): DomainError =>
  invalid([{ path: 'file', message: 'send one file in the multipart field "file"' }]);

function unreadable(error: unknown): DomainError {
  const why = error instanceof Error ? error.message : String(error);
  return new DomainError('validation', `the upload could not be read: ${why}`);
}
