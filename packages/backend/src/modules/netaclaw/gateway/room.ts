import type { Connection } from './connection.js';

/** Resolves when the reader has taken what waits, or nobody wants to know any more. Leaves no listener behind. */
export const roomOf = (
  connection: Pick<Connection, 'whenRoom'>,
  signal: AbortSignal,
): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const onEnd = (): void => {
      signal.removeEventListener('abort', onEnd);
      resolve();
    };
    signal.addEventListener('abort', onEnd, { once: true });
    connection.whenRoom(onEnd);
  });
