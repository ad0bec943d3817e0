import type { Dirent } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { ComputerError, type SearchRequest, type SearchResult } from '../components.js';
import { globMatcher } from '../glob.js';
import { systemCode } from '../file_error.js';
import type { GuardedFolder } from '../guarded_folder.js';
import type { WorkspaceGuard } from '../workspace_guard.js';
import { PatternWorker } from './pattern_worker.js';
import { readTextFile } from './text_file.js';

/** What one search may cost. */
export interface SearchLimits {
  files: number;
  fileBytes: number;
  depth: number;
  totalMs: number;
}

const LIMITS: SearchLimits = {
  files: 20_000,
  fileBytes: 2 * 1024 * 1024,
  depth: 40,
  totalMs: 20_000,
};

/** Folders that hold what was fetched or generated; searched only when the search begins in them. */
const SKIPPED_FOLDERS = new Set(['.git', 'node_modules']);

/** Searches a file, or the files below a folder. Links are not followed. */
export async function searchWorkspace(
  guard: WorkspaceGuard,
  request: SearchRequest,
  limits: SearchLimits = LIMITS,
): Promise<SearchResult> {
  const worker = new PatternWorker(request);
  const stop = (): void => void worker.close();
  request.signal.addEventListener('abort', stop, { once: true });
  try {
    return await new Search(request, worker, limits).run(guard);
  } catch (error) {
    if (!request.signal.aborted) throw error;
    throw new ComputerError('failed', 'The search was cancelled.', { cause: error });
  } finally {
    request.signal.removeEventListener('abort', stop);
    await worker.close();
  }
}

class Search {
  private readonly result: SearchResult = { matches: [], incomplete: false };
  private readonly fits: (path: string) => boolean;
  private readonly deadline: number;
  private filesLeft: number;
  private full = false;

  constructor(
    private readonly request: SearchRequest,
    private readonly worker: PatternWorker,
    private readonly limits: SearchLimits,
  ) {
    this.fits = request.glob === undefined ? () => true : globMatcher(request.glob);
    this.deadline = performance.now() + limits.totalMs;
    this.filesLeft = limits.files;
  }

  async run(guard: WorkspaceGuard): Promise<SearchResult> {
    const { path } = this.request;
    try {
      await guard.inFolder(path, (folder) => this.searchFolder(folder, { path: '', depth: 0 }));
    } catch (error) {
      if (!(error instanceof ComputerError) || error.code !== 'not_a_directory') throw error;
      const text = await guard.inFile(path, (file) =>
        readTextFile(file, { path, mostBytes: this.limits.fileBytes }),
      );
      await this.searchText(text, path);
    }
    return this.result;
  }

  private async searchFolder(
    folder: GuardedFolder,
    at: { path: string; depth: number },
  ): Promise<void> {
    for (const entry of await readSorted(folder)) {
      if (this.isOver()) return;
      const path = join(at.path, entry.name);
      if (entry.isFile()) await this.searchEntry(folder, { name: entry.name, path });
      else if (entry.isDirectory() && !SKIPPED_FOLDERS.has(entry.name)) {
        await this.descend(folder, { name: entry.name, path, depth: at.depth + 1 });
      }
    }
  }

  private async descend(
    above: GuardedFolder,
    at: { name: string; path: string; depth: number },
  ): Promise<void> {
    if (at.depth > this.limits.depth) {
      this.result.incomplete = true;
      return;
    }
    await this.tolerate(async () => {
      const folder = await above.openFolder(at.name);
      try {
        await this.searchFolder(folder, at);
      } finally {
        await folder.close();
      }
    });
  }

  private async searchEntry(
    folder: GuardedFolder,
    at: { name: string; path: string },
  ): Promise<void> {
    if (!this.fits(at.path)) return;
    this.filesLeft -= 1;
    const text = await this.tolerate(() => this.readEntry(folder, at));
    if (text !== null) await this.searchText(text, join(this.request.path, at.path));
  }

  private async readEntry(
    folder: GuardedFolder,
    at: { name: string; path: string },
  ): Promise<string> {
    const file = await folder.openFile(at.name, at.path);
    try {
      return await readTextFile(file, { path: at.path, mostBytes: this.limits.fileBytes });
    } finally {
      await file.close();
    }
  }

  /** Asks for one match too many, so that "there are more" is known and not guessed. */
  private async searchText(text: string, path: string): Promise<void> {
    const room = this.request.maxMatches - this.result.matches.length;
    const found = await this.worker.find({ text, most: room + 1 });
    if (found.length > room) {
      this.full = true;
      this.result.incomplete = true;
    }
    this.result.matches.push(
      ...found.slice(0, room).map(({ line, text }) => ({ path, line, text })),
    );
  }

  private isOver(): boolean {
    this.request.signal.throwIfAborted();
    if (this.filesLeft <= 0 || performance.now() > this.deadline) {
      this.result.incomplete = true;
      return true;
    }
    return this.full;
  }

  /** What cannot be read does not end a search. Binary files have nothing to find and do not count. */
  private async tolerate<T>(work: () => Promise<T>): Promise<T | null> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ComputerError && error.code === 'not_text') return null;
      if (!(error instanceof ComputerError) && systemCode(error) === null) throw error;
      if (error instanceof ComputerError && error.code === 'failed') throw error;
      this.result.incomplete = true;
      return null;
    }
  }
}

async function readSorted(folder: GuardedFolder): Promise<Dirent[]> {
  const entries: Dirent[] = [];
  for await (const entry of await opendir(folder.at(''))) entries.push(entry);
  return entries.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}
