import { z } from 'zod';
import type { PythonResult } from '../../sandbox/components.js';
import { failed, onComputer } from '../common.js';
import { defineTool } from '../source.js';

const LONGEST_MS = 600_000;
/** Left of the call's own time, so that what was printed still arrives when its time is up. */
const MARGIN_MS = 500;

export default defineTool({
  schema: {
    name: 'python',
    toolset: 'sandbox',
    description:
      'Runs Python 3 code on the computer, with the workspace as its folder, and returns what it prints and any error. Print what you want to see.',
    promptHint:
      'Do not rely on variables of an earlier call: write what is needed later to a file. Standard input is empty.',
    parameters: z.strictObject({
      code: z.string().min(1).max(90_000).describe('The code; several lines as a program.'),
      timeout_ms: z
        .int()
        .min(1000)
        .max(LONGEST_MS)
        .default(120_000)
        .describe('Milliseconds until the code is ended.'),
    }),
    scene: 'computer',
  },
  sequential: true,
  timeoutMs: LONGEST_MS,
  create: (facilities) => (input, context) =>
    onComputer(facilities, context.signal, async ({ python }) => {
      if (python === null) return failed('This computer runs no Python.');
      const timeoutMs = Math.min(input.timeout_ms, Math.max(1000, context.timeoutMs - MARGIN_MS));
      const { code } = input;
      return report(await python.run({ code, timeoutMs, signal: context.signal }), timeoutMs);
    }),
});

function report(result: PythonResult, timeoutMs: number) {
  const { success, output, error, images, timedOut, allowedMs } = result;
  const content = [
    timedOut
      ? `Time limit: the code was ended after ${allowedMs ?? timeoutMs} ms. Do less at once.`
      : success
        ? 'It ran to its end.'
        : 'It failed.',
    ...section('output', output),
    ...(error === '' ? [] : section('error', error)),
    ...(images > 0 ? [`It drew ${images} pictures. Save them to files to use them.`] : []),
  ].join('\n');
  if (timedOut) return { status: 'timeout' as const, content };
  return { status: success ? ('ok' as const) : ('error' as const), content };
}

function section(name: string, text: string): string[] {
  const trimmed = text.replace(/\n+$/, '');
  return trimmed === '' ? [`${name}: (empty)`] : [`${name}:`, trimmed];
}
