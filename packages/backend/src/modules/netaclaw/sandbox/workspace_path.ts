import { createHash } from 'node:crypto';
import { isAbsolute, join, relative, sep } from 'node:path';
import { ComputerError } from './components.js';

/** Where a workspace stands for its own commands, and what file paths may call it. */
export const WORKSPACE_ALIAS = '/workspace';

const LONGEST_PATH = 4096;
// eslint-disable-next-line no-control-regex
const CONTROL_CHARACTER = /[\u0000-\u001f\u007f]/;

/** What a path is wanted for: read roots serve reading only. */
export type PathPurpose = 'read' | 'write';

/** The folders a session's files may be in, with every link already resolved. */
export interface WorkspaceRoots {
  workspace: string;
  readRoots: readonly string[];
}

/** The folder name of a session's workspace: any id gives a plain, fixed-length name that no other id has. */
export const workspaceFolderName = (sessionId: string): string =>
  createHash('sha256').update(sessionId).digest('hex').slice(0, 40);

/** True when `path` is `folder` or lies below it. Both must be absolute and normalised. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** True when a resolved path is in a folder that this purpose may touch. */
export const isAllowed = (roots: WorkspaceRoots, path: string, purpose: PathPurpose): boolean =>
  isInside(roots.workspace, path) ||
  (purpose === 'read' && roots.readRoots.some((root) => isInside(root, path)));

/**
 * The absolute path that a tool's path means, by its words alone: links are not looked at yet.
 * Throws `ComputerError` for what is no path, or leaves the workspace as it stands.
 */
export function toAbsolutePath(roots: WorkspaceRoots, path: string, purpose: PathPurpose): string {
  const asked = cleanPath(path);
  const absolute = isInside(WORKSPACE_ALIAS, asked)
    ? join(roots.workspace, relative(WORKSPACE_ALIAS, asked))
    : isAbsolute(asked)
      ? join(asked)
      : join(roots.workspace, asked);
  const plain = withoutTrailingSlash(absolute);
  if (!isAllowed(roots, plain, purpose)) throw outsideWorkspace(path);
  return plain;
}

/** The refusal of a path that leads out of the workspace. */
export const outsideWorkspace = (path: string): ComputerError =>
  new ComputerError(
    'outside_workspace',
    `${quotePath(path)} is outside the workspace. Use a path relative to the workspace root, for example "notes/plan.md".`,
  );

/** A path as error texts show it: quoted, on one line, not longer than a line. */
export function quotePath(path: string): string {
  const shown = path.length > 200 ? `${path.slice(0, 200)}…` : path;
  return JSON.stringify(shown);
}

function cleanPath(path: string): string {
  const trimmed = path.trim();
  if (trimmed === '') {
    throw new ComputerError('invalid_path', 'The path is empty. Use "." for the workspace root.');
  }
  if (CONTROL_CHARACTER.test(trimmed)) {
    throw new ComputerError(
      'invalid_path',
      `The path ${quotePath(path)} has a line break or another control character in it. Rename the file or choose another path.`,
    );
  }
  if (Buffer.byteLength(trimmed) > LONGEST_PATH) {
    throw new ComputerError(
      'invalid_path',
      `The path ${quotePath(path)} is longer than ${LONGEST_PATH} bytes.`,
    );
  }
  return trimmed;
}

const withoutTrailingSlash = (path: string): string =>
  path.length > 1 && path.endsWith(sep) ? path.slice(0, -1) : path;
