import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { File } from '@netaclaw/contracts';
import { StreamAnswer } from '../../base/http/handler.js';

/** A file as a download: whatever it is, the browser saves it and does not show it. */
export const fileAnswer = (
  file: Pick<File, 'name' | 'size'>,
  content: NodeJS.ReadableStream,
): StreamAnswer =>
  new StreamAnswer(async (response) => {
    response.writeHead(200, {
      'content-type': 'application/octet-stream',
      'content-length': file.size,
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`,
      'cache-control': 'private, no-store',
    });
    await pipeline(content, response);
  });

/** Bytes that are made for the answer. */
export const downloadAnswer = ({ name, bytes }: { name: string; bytes: Buffer }): StreamAnswer =>
  fileAnswer({ name, size: bytes.length }, Readable.from([bytes]));
