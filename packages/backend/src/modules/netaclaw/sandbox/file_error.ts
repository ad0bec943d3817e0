import { ComputerError, type ComputerErrorCode } from './components.js';
import { quotePath } from './workspace_path.js';

const KNOWN: Readonly<Record<string, readonly [ComputerErrorCode, string]>> = {
  ENOENT: ['not_found', 'does not exist. List the folder to see what is there.'],
  ENOTDIR: ['not_a_directory', 'is not a folder, or goes through something that is not one.'],
  EISDIR: ['not_a_file', 'is a folder, not a file.'],
  ELOOP: ['denied', 'is a link that may not be followed, or a circle of links.'],
  EACCES: ['denied', 'may not be accessed: its permissions forbid it.'],
  EPERM: ['denied', 'may not be changed: its permissions forbid it.'],
  EROFS: ['denied', 'is on a read-only disk.'],
  EEXIST: ['failed', 'already exists.'],
  ENOTEMPTY: ['failed', 'is a folder that is not empty. Remove what is in it first.'],
  ENAMETOOLONG: ['invalid_path', 'has a name that is too long for this disk.'],
  ENXIO: ['not_a_file', 'is a pipe, a socket or a device, not a regular file.'],
  ENOSPC: ['failed', 'cannot be written: the disk is full.'],
  EDQUOT: ['failed', 'cannot be written: the disk quota is used up.'],
  EFBIG: ['too_large', 'would be larger than this disk allows.'],
};

/** Turns what the file system refused into a `ComputerError` that names the path as the caller wrote it. */
export function toFileError(error: unknown, path: string): ComputerError {
  if (error instanceof ComputerError) return error;
  const code = systemCode(error);
  const known = code === null ? undefined : KNOWN[code];
  if (known !== undefined) {
    return new ComputerError(known[0], `${quotePath(path)} ${known[1]}`, { cause: error });
  }
  const word = code ?? (error instanceof Error ? error.message : String(error));
  return new ComputerError('failed', `${quotePath(path)} could not be used: ${word}.`, {
    cause: error,
  });
}

/** The system's word for a failure, such as `ENOENT`; null for anything else. */
export function systemCode(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : null;
}
