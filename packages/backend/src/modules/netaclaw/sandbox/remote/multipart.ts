import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { posix } from 'node:path';
import { ComputerError } from '../components.js';
import { systemCode } from '../file_error.js';
import type { RequestBody } from './service_client.js';

/** A multipart body with one file of the server and one field; read anew at every try. */
export async function fileBody(
  serverPath: string,
  field: { name: string; path: string },
): Promise<RequestBody> {
  const boundary = `netaclaw-${randomUUID()}`;
  const part = (disposition: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; ${disposition}\r\n`;
  const fileName = posix.basename(field.path).replaceAll(/["\\\r\n]/g, '_');
  const head = Buffer.from(
    `${part(`name="${field.name}"`)}\r\n${field.path}\r\n${part(`name="file"; filename="${fileName}"`)}content-type: application/octet-stream\r\n\r\n`,
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  const size = await sizeOf(serverPath);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    length: head.length + size + tail.length,
    make: () => pieces(head, serverPath, tail),
  };
}

async function* pieces(head: Buffer, serverPath: string, tail: Buffer): AsyncGenerator<Buffer> {
  yield head;
  for await (const chunk of createReadStream(serverPath)) {
    if (Buffer.isBuffer(chunk)) yield chunk;
  }
  yield tail;
}

async function sizeOf(serverPath: string): Promise<number> {
  try {
    return (await stat(serverPath)).size;
  } catch (error) {
    const message = `The server's file is not there any more (${systemCode(error) ?? 'unknown'}).`;
    throw new ComputerError('not_found', message, { cause: error });
  }
}
