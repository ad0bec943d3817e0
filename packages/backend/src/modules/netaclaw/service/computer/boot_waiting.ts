import type { SandboxDriver } from '../../sandbox/booter.js';
import { ComputerError, type Computer } from '../../sandbox/components.js';

/** Who is cancelled stops waiting; the boot goes on for the others. */
export function waitedFor(computer: Promise<Computer>, signal: AbortSignal): Promise<Computer> {
  return new Promise((resolve, reject) => {
    const abort = () =>
      reject(
        new ComputerError('failed', 'The computer was still booting when the call was ended.', {
          cause: signal.reason,
        }),
      );
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    computer.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** An error of a boot always says something. */
export function worded(error: unknown, { label }: SandboxDriver): ComputerError {
  if (error instanceof ComputerError && error.message.trim() !== '') return error;
  const why = error instanceof Error && error.message !== '' ? error.message : 'no reason given';
  return new ComputerError('unavailable', `${label} could not be started: ${why}.`, {
    cause: error,
  });
}
