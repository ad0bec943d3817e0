import { randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, opendir, rename, rm, rmdir, unlink } from 'node:fs/promises';
import { basename } from 'node:path';
import {
  ComputerError,
  type DirectoryEntry,
  type FileSystemComponent,
  type SearchRequest,
  type SearchResult,
} from '../components.js';
import { toFileError } from '../file_error.js';
import { refuseSpecial, type GuardedFolder } from '../guarded_folder.js';
import { quotePath } from '../workspace_path.js';
import type { WorkspaceGuard } from '../workspace_guard.js';
import { searchWorkspace } from './local_search.js';
import { readBinaryFile, readTextFile } from './text_file.js';

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;

/** How much file tools take at once. */
export interface FileLimits {
  readBytes: number;
  transferBytes: number;
  entries: number;
}

const LIMITS: FileLimits = {
  readBytes: 10 * 1024 * 1024,
  transferBytes: 1024 * 1024 * 1024,
  entries: 10_000,
};

/** The files of a workspace on this machine. Every path goes through the guard. */
export class LocalFiles implements FileSystemComponent {
  constructor(
    private readonly guard: WorkspaceGuard,
    private readonly limits: FileLimits = LIMITS,
  ) {}

  readText(path: string): Promise<string> {
    return this.guard.inFile(path, (file) =>
      readTextFile(file, { path, mostBytes: this.limits.readBytes }),
    );
  }

  readBytes(path: string, mostBytes: number): Promise<Buffer> {
    return this.guard.inFile(path, (file) => readBinaryFile(file, { path, mostBytes }));
  }

  writeText(path: string, text: string): Promise<void> {
    return this.replace(path, (file) => file.writeFile(text, 'utf8'));
  }

  list(path: string): Promise<DirectoryEntry[]> {
    return this.guard.inFolder(path, async (folder) => {
      const names = await this.readNames(folder, path);
      const entries = await inTurn(names, async (name) => {
        const stats = await folder.look(name);
        return stats === null ? [] : [toEntry(name, stats)];
      });
      return entries.flat();
    });
  }

  search(request: SearchRequest): Promise<SearchResult> {
    return searchWorkspace(this.guard, request);
  }

  async upload(serverPath: string, path: string): Promise<void> {
    const source = await openServerFile(serverPath);
    try {
      await this.replace(path, (target) => this.copy({ source, target, path }));
    } finally {
      await source.close();
    }
  }

  download(path: string, serverPath: string): Promise<void> {
    return this.guard.inFile(path, (source) =>
      writeNew(serverPath, 0o600, (target) => this.copy({ source, target, path })),
    );
  }

  /** Removes a file, a link (not what it leads to) or an empty folder. */
  remove(path: string): Promise<void> {
    return this.guard.inParent(path, { makeFolders: false }, async (folder, name) => {
      const stats = await folder.look(name);
      if (stats === null) throw notFound(path);
      await (stats.isDirectory() ? rmdir(folder.at(name)) : unlink(folder.at(name)));
    });
  }

  /** Writes beside the file and then takes its place, so that no reader ever sees half of it. */
  private replace(path: string, write: (file: FileHandle) => Promise<void>): Promise<void> {
    return this.guard.inParent(path, { makeFolders: true }, async (folder, name) => {
      const before = await folder.look(name);
      if (before !== null) refuseSpecial(before, path);
      const draft = folder.at(`.netaclaw-${randomBytes(8).toString('hex')}.tmp`);
      try {
        await writeNew(draft, before === null ? 0o644 : before.mode & 0o777, write);
        await rename(draft, folder.at(name));
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
    });
  }

  /** A file that grows meanwhile is cut where it ended when it was measured. */
  private async copy(of: { source: FileHandle; target: FileHandle; path: string }): Promise<void> {
    const { size } = await of.source.stat();
    if (size > this.limits.transferBytes) throw tooLarge(of.path, this.limits.transferBytes);
    const buffer = Buffer.alloc(Math.min(size, 256 * 1024));
    for (let left = size; left > 0;) {
      const most = Math.min(left, buffer.length);
      const { bytesRead } = await of.source.read(buffer, 0, most, null);
      if (bytesRead === 0) return;
      await of.target.writeFile(buffer.subarray(0, bytesRead));
      left -= bytesRead;
    }
  }

  private async readNames(folder: GuardedFolder, path: string): Promise<string[]> {
    const names: string[] = [];
    for await (const entry of await opendir(folder.at(''))) {
      names.push(entry.name);
      if (names.length > this.limits.entries) throw tooManyEntries(path, this.limits.entries);
    }
    return names.toSorted();
  }
}

async function writeNew(
  path: string,
  mode: number,
  write: (file: FileHandle) => Promise<void>,
): Promise<void> {
  const file = await open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
  try {
    await write(file);
    await file.chmod(mode);
  } finally {
    await file.close();
  }
}

async function openServerFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, constants.O_RDONLY | O_NOFOLLOW);
  } catch (error) {
    throw toFileError(error, basename(path));
  }
}

async function inTurn<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}

const toEntry = (name: string, stats: Stats): DirectoryEntry => ({
  name,
  kind: kindOf(stats),
  size: stats.isFile() ? stats.size : null,
});

function kindOf(stats: Stats): DirectoryEntry['kind'] {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'directory';
  return stats.isSymbolicLink() ? 'link' : 'other';
}

const notFound = (path: string): ComputerError =>
  new ComputerError(
    'not_found',
    `${quotePath(path)} does not exist, so there is nothing to remove.`,
  );

const tooLarge = (path: string, most: number): ComputerError =>
  new ComputerError('too_large', `${quotePath(path)} is larger than ${most} bytes.`);

const tooManyEntries = (path: string, most: number): ComputerError =>
  new ComputerError(
    'too_large',
    `${quotePath(path)} has more than ${most} entries. List a folder below it, or search.`,
  );
