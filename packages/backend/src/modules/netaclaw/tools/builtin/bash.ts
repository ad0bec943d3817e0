import { z } from 'zod';
import { reportCommand } from '../command_report.js';
import { failed, onComputer } from '../common.js';
import { pathParameter } from '../parameter.js';
import { defineTool } from '../source.js';

const LONGEST_MS = 600_000;

/** Left of the call's own time, so that a command's output still arrives when its time is up. */
const MARGIN_MS = 500;

export default defineTool({
  schema: {
    name: 'bash',
    toolset: 'base',
    description:
      'Runs a bash command in the workspace and returns its exit code, standard output and standard error. Each call starts a new shell in the workspace root: no folder, variable or background process is kept from an earlier call. Standard input is empty, so use options that ask nothing. Very long output keeps its beginning and its end.',
    promptHint:
      'Chain commands that depend on each other with && in one call. Do not wait for programs that never end, such as servers, and do not start them in the background: they end with the command.',
    parameters: z.strictObject({
      command: z
        .string()
        .min(1)
        .max(100_000)
        .describe('The command line, or several lines of script.'),
      cwd: pathParameter('The folder to run in.').default('.'),
      timeout_ms: z
        .int()
        .min(100)
        .max(LONGEST_MS)
        .default(120_000)
        .describe('Milliseconds until the command and all it started are ended.'),
    }),
    scene: 'computer',
  },
  sequential: true,
  timeoutMs: LONGEST_MS,
  create: (facilities) => (input, context) =>
    onComputer(facilities, context.signal, async ({ shell }) => {
      if (shell === null) {
        return failed('This computer runs no commands here; only its files can be used.');
      }
      const allowed = Math.max(100, context.timeoutMs - MARGIN_MS);
      const timeoutMs = Math.min(input.timeout_ms, allowed);
      const { command, cwd } = input;
      const result = await shell.run({ command, cwd, timeoutMs, signal: context.signal });
      return reportCommand(result, timeoutMs);
    }),
});
