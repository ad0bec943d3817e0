import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import type {
  PythonComponent,
  PythonRequest,
  PythonResult,
  ShellComponent,
} from '../components.js';
import { ComputerError } from '../components.js';
import { quoteWord } from '../quote_word.js';
import { commandEnvironment } from './bubblewrap.js';

/** The kernel takes no single argument above 128 KiB, and quoting makes code longer. */
const LONGEST_CODE_BYTES = 100_000;

/** Runs Python as a command of its own, isolated as every command is. Nothing is kept but files. */
export class LocalPython implements PythonComponent {
  constructor(private readonly shell: ShellComponent) {}

  async run({ code, timeoutMs, signal }: PythonRequest): Promise<PythonResult> {
    const word = quoteWord(code);
    if (Buffer.byteLength(word) > LONGEST_CODE_BYTES) {
      const message = `The code is longer than ${LONGEST_CODE_BYTES} bytes. Write it to a file and run that.`;
      throw new ComputerError('too_large', message);
    }
    const command = `exec python3 -c ${word}`;
    const result = await this.shell.run({ command, timeoutMs, signal });
    const { exitCode, stdout, stderr, timedOut, endedBecause } = result;
    return {
      success: exitCode === 0,
      output: stdout,
      error:
        endedBecause === undefined ? stderr : `It was ended because ${endedBecause}. ${stderr}`,
      images: 0,
      timedOut,
    };
  }
}

/** What an operator is told where there is no Python; null where there is. */
export async function pythonProblem(
  path = commandEnvironment('/').PATH ?? '',
): Promise<string | null> {
  for (const folder of path.split(':')) {
    const found = await access(join(folder, 'python3'), constants.X_OK).then(
      () => true,
      () => false,
    );
    if (found) return null;
  }
  return 'There is no python3 on this server. Install it (apt-get install python3), so that agents can run Python.';
}
