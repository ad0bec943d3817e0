import { createHash } from 'node:crypto';
import { realpathSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Holds a folder for this process, so that no second server works on the same embedded database: it
 * would take the first one's runs for abandoned. A local socket is the lock, because it goes with its
 * process however that ends; what a killed process leaves behind answers nobody and is cleared away.
 */
export class FolderLock {
  private constructor(private readonly server: Server) {}

  /** Throws an error with a sentence when another process holds the folder, which must exist. */
  static async take(folder: string): Promise<FolderLock> {
    const path = socketOf(folder);
    if (await answers(path)) {
      throw new Error(
        `Another server is at work on ${folder}. Stop it, or give this one a folder of its own (DATA_DIR).`,
      );
    }
    rmSync(path, { force: true });
    const server = createServer((visitor) => visitor.destroy());
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(path, resolve);
    });
    server.unref();
    return new FolderLock(server);
  }

  /** Lets others have the folder. */
  async release(): Promise<void> {
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** Short, since the paths of sockets have a limit; the same for every way of naming the folder. */
function socketOf(folder: string): string {
  const hash = createHash('sha256').update(realpathSync(folder)).digest('hex').slice(0, 24);
  const name = `netaclaw-${hash}.sock`;
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), name);
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
