import type { FileHandle } from 'node:fs/promises';
import { readlink, realpath } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { ComputerError } from './components.js';
import { toFileError } from './file_error.js';
import { GuardedFolder, withFolder } from './guarded_folder.js';
import {
  isAllowed,
  outsideWorkspace,
  quotePath,
  toAbsolutePath,
  type PathPurpose,
  type WorkspaceRoots,
} from './workspace_path.js';

/** A path as it was asked for, and what it stands for. */
interface Place {
  asked: string;
  absolute: string;
  purpose: PathPurpose;
}

/**
 * The only way from a tool's path to a file of the local computer. Links are resolved first, the place
 * they lead to must be allowed, and what was opened is checked again after opening, so that nothing can
 * be exchanged in between. Everything here throws `ComputerError` about the path as it was asked for.
 */
export class WorkspaceGuard {
  constructor(private readonly roots: WorkspaceRoots) {}

  /** Works on an existing folder. */
  async inFolder<T>(path: string, work: (folder: GuardedFolder) => Promise<T>): Promise<T> {
    const place = this.place(path, 'read');
    const real = await this.resolve(place);
    return withFolder(path, this.openChecked({ ...place, absolute: real }), work);
  }

  /** Works on an existing regular file, opened for reading. */
  async inFile<T>(path: string, work: (file: FileHandle) => Promise<T>): Promise<T> {
    const place = this.place(path, 'read');
    const real = await this.resolve(place);
    if (real === this.roots.workspace) throw isWorkspaceItself(path);
    const home = this.openChecked({ ...place, absolute: dirname(real) });
    return withFolder(path, home, async (folder) => {
      const file = await folder.openFile(basename(real), path);
      try {
        return await work(file);
      } finally {
        await file.close();
      }
    });
  }

  /** Works on the folder a file is to be written in, or removed from. Missing folders are made on request. */
  async inParent<T>(
    path: string,
    options: { makeFolders: boolean },
    work: (folder: GuardedFolder, name: string) => Promise<T>,
  ): Promise<T> {
    const place = this.place(path, 'write');
    if (place.absolute === this.roots.workspace) throw isWorkspaceItself(path);
    const parent = { ...place, absolute: dirname(place.absolute) };
    const folder = options.makeFolders ? this.openOrMake(parent) : this.openExisting(parent);
    return withFolder(path, folder, (opened) => work(opened, basename(place.absolute)));
  }

  /** The real path of an existing folder of the workspace, for a command to start in. */
  async workingFolder(path: string): Promise<string> {
    const place = this.place(path, 'write');
    const real = await this.resolve(place);
    await withFolder(path, this.openChecked({ ...place, absolute: real }), async () => undefined);
    return real;
  }

  private place(asked: string, purpose: PathPurpose): Place {
    return { asked, absolute: toAbsolutePath(this.roots, asked, purpose), purpose };
  }

  private async resolve(place: Place): Promise<string> {
    const real = await realpath(place.absolute).catch((error: unknown) => error);
    if (typeof real !== 'string') {
      const error = toFileError(real, place.asked);
      // What is not there may not be said of places that are none of the caller's business.
      throw (await this.leadsOutside(place)) ? outsideWorkspace(place.asked) : error;
    }
    if (isAllowed(this.roots, real, place.purpose)) return real;
    throw outsideWorkspace(place.asked);
  }

  /** Whether the nearest part of a path that is there lies, with its links resolved, outside. */
  private async leadsOutside(place: Place): Promise<boolean> {
    const above = dirname(place.absolute);
    if (above === place.absolute) return true;
    const target = await readlink(place.absolute).catch(() => null);
    if (target !== null && !isAllowed(this.roots, resolve(above, target), place.purpose))
      return true;
    const real = await realpath(above).catch(() => null);
    if (real === null) return this.leadsOutside({ ...place, absolute: above });
    return !isAllowed(this.roots, real, place.purpose);
  }

  private async openExisting(place: Place): Promise<GuardedFolder> {
    return this.openChecked({ ...place, absolute: await this.resolve(place) });
  }

  private async openOrMake(place: Place): Promise<GuardedFolder> {
    try {
      return await this.openExisting(place);
    } catch (error) {
      const missing = error instanceof ComputerError && error.code === 'not_found';
      if (!missing || place.absolute === this.roots.workspace) throw error;
    }
    const above = await this.openOrMake({ ...place, absolute: dirname(place.absolute) });
    try {
      return await above.makeFolder(basename(place.absolute));
    } finally {
      await above.close();
    }
  }

  /** Opens a folder whose path has no links left, and asks the system where the opened folder really is. */
  private async openChecked(place: Place): Promise<GuardedFolder> {
    const folder = await GuardedFolder.open(place.absolute);
    const proof = folder.descriptorPath;
    const actual = proof === null ? await realpath(place.absolute) : await readlink(proof);
    if (isAllowed(this.roots, actual, place.purpose)) return folder;
    await folder.close();
    throw outsideWorkspace(place.asked);
  }
}

const isWorkspaceItself = (path: string): ComputerError =>
  new ComputerError(
    'not_a_file',
    `${quotePath(path)} is the workspace root, a folder, not a file.`,
  );
