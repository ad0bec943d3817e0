import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, mkdir, open } from 'node:fs/promises';
import { platform } from 'node:os';
import { join } from 'node:path';
import { ComputerError } from './components.js';
import { systemCode, toFileError } from './file_error.js';
import { quotePath } from './workspace_path.js';

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = constants;

/**
 * A folder that is held open, so that nothing which happens to its path afterwards can lead elsewhere.
 * Its entries are reached through the open folder and links are never followed.
 */
export class GuardedFolder {
  private constructor(
    private readonly handle: FileHandle,
    /** The folder's path when it was opened. */
    readonly path: string,
  ) {}

  /** Opens a folder; a link in the last place is refused. Throws what the file system throws. */
  static async open(path: string, knownAs = path): Promise<GuardedFolder> {
    const handle = await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK);
    return new GuardedFolder(handle, knownAs);
  }

  /** Where the system says the open folder is; null on systems that do not tell. */
  get descriptorPath(): string | null {
    return platform() === 'linux' ? `/proc/self/fd/${this.handle.fd}` : null;
  }

  /** A path that reaches an entry; the empty name reaches the folder itself. */
  at(name: string): string {
    return join(this.descriptorPath ?? this.path, name);
  }

  /** A folder in this one. */
  openFolder(name: string): Promise<GuardedFolder> {
    return GuardedFolder.open(this.at(name), join(this.path, name));
  }

  /** A folder in this one, made when it is missing. */
  async makeFolder(name: string): Promise<GuardedFolder> {
    try {
      await mkdir(this.at(name));
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error;
    }
    return this.openFolder(name);
  }

  /** Opens a regular file for reading. `shown` is the path as error texts name it. */
  async openFile(name: string, shown: string): Promise<FileHandle> {
    // Looked at before as well: merely opening a device can already do something.
    refuseSpecial(await lstat(this.at(name)), shown);
    const handle = await open(this.at(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      refuseSpecial(await handle.stat(), shown);
      return handle;
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** What stands at a name; null when nothing does. */
  async look(name: string): Promise<Stats | null> {
    try {
      return await lstat(this.at(name));
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return null;
      throw error;
    }
  }

  /** Lets go of the folder. */
  close(): Promise<void> {
    return this.handle.close();
  }
}

/** Runs `work` on a folder and lets go of it; file system failures become `ComputerError`s about `path`. */
export async function withFolder<T>(
  path: string,
  folder: Promise<GuardedFolder>,
  work: (folder: GuardedFolder) => Promise<T>,
): Promise<T> {
  try {
    const opened = await folder;
    try {
      return await work(opened);
    } finally {
      await opened.close();
    }
  } catch (error) {
    throw toFileError(error, path);
  }
}

/** Refuses everything but a regular file that has this one name only. */
export function refuseSpecial(stats: Stats, path: string): void {
  if (stats.isSymbolicLink()) {
    throw new ComputerError(
      'denied',
      `${quotePath(path)} is a link, and links are not followed here.`,
    );
  }
  if (stats.isDirectory()) {
    throw new ComputerError('not_a_file', `${quotePath(path)} is a folder, not a file.`);
  }
  if (!stats.isFile()) {
    throw new ComputerError(
      'not_a_file',
      `${quotePath(path)} is a pipe, a socket or a device, not a regular file.`,
    );
  }
  if (stats.nlink > 1) {
    throw new ComputerError(
      'denied',
      `${quotePath(path)} has a second name (a hard link), so it may belong to someone else. Make a copy and use that.`,
    );
  }
}
