import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { posix } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  ComputerError,
  type DirectoryEntry,
  type FileSystemComponent,
  type SearchRequest,
  type SearchResult,
  type ShellComponent,
} from '../components.js';
import { decodeText } from '../booters/text_file.js';
import { quotePath } from '../workspace_path.js';
import { searchRemote } from './remote_search.js';
import { quoteWord } from '../quote_word.js';
import type { SandboxWire } from './wire.js';

const MOST_TEXT_BYTES = 10 * 1024 * 1024;
const MOST_TRANSFER_BYTES = 1024 * 1024 * 1024;
const FOLDER_MS = 10_000;

/** The files of a sandbox. Paths pass through: the sandbox is the boundary. */
export class RemoteFiles implements FileSystemComponent {
  constructor(
    private readonly wire: SandboxWire,
    private readonly shell: ShellComponent,
  ) {}

  async readText(path: string): Promise<string> {
    const bytes = await this.readBytes(path, MOST_TEXT_BYTES);
    const text = decodeText(bytes);
    if (text !== null) return text;
    const message = `${quotePath(path)} is not UTF-8 text. Convert it first, or use a program that understands it.`;
    throw new ComputerError('not_text', message);
  }

  async readBytes(path: string, mostBytes: number): Promise<Buffer> {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of await this.wire.open(usable(path))) {
      size += chunk.length;
      if (size > mostBytes) throw tooLarge(path, mostBytes);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }

  async writeText(path: string, text: string): Promise<void> {
    await this.withFolder(path, () => this.wire.write(usable(path), text));
  }

  async list(path: string): Promise<DirectoryEntry[]> {
    return this.wire.list(usable(path));
  }

  search(request: SearchRequest): Promise<SearchResult> {
    return searchRemote(this.shell, request);
  }

  async upload(serverPath: string, path: string): Promise<void> {
    await this.withFolder(path, () => this.wire.upload(serverPath, usable(path)));
  }

  async download(path: string, serverPath: string): Promise<void> {
    const source = await this.wire.open(usable(path));
    const target = createWriteStream(serverPath, { flags: 'wx', mode: 0o600 });
    try {
      await pipeline(Readable.from(source), limitedTo(MOST_TRANSFER_BYTES, path), target);
    } catch (error) {
      await rm(serverPath, { force: true });
      throw error;
    }
  }

  async remove(path: string): Promise<void> {
    await this.wire.remove(usable(path));
  }

  /** Services make the folders above a file, or say that they are not there: then they are made here. */
  private async withFolder(path: string, write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      if (!(error instanceof ComputerError) || error.code !== 'not_found') throw error;
      const command = `mkdir -p -- ${quoteWord(posix.dirname(path))}`;
      const signal = AbortSignal.timeout(FOLDER_MS);
      await this.shell.run({ command, timeoutMs: FOLDER_MS, signal });
      await write();
    }
  }
}

/** A path with nothing in it that a service could trip over; what it means is the sandbox's business. */
function usable(path: string): string {
  const trimmed = path.trim();
  if (trimmed === '') {
    throw new ComputerError('invalid_path', 'The path is empty. Use "." for the workspace root.');
  }
  if (/\p{Cc}/u.test(trimmed)) {
    const message = `${quotePath(path)} has a control character in it, such as a line break. Choose another name.`;
    throw new ComputerError('invalid_path', message);
  }
  return trimmed;
}

const tooLarge = (path: string, mostBytes: number): ComputerError =>
  new ComputerError('too_large', `${quotePath(path)} is larger than ${mostBytes} bytes.`);

function limitedTo(mostBytes: number, path: string): Transform {
  let size = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      if (size > mostBytes) done(tooLarge(path, mostBytes));
      else done(null, chunk);
    },
  });
}
