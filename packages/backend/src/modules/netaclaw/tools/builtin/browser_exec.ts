import { z } from 'zod';
import { inBrowser, secondsWithin } from '../service_record.js';
import { defineTool } from '../source.js';

const LONGEST_SECONDS = 300;

export default defineTool({
  schema: {
    name: 'browser_exec',
    toolset: 'browser',
    description:
      "Carries out one command in the sandbox's browser, such as opening an address, taking a snapshot of the page, clicking or filling in, and returns what came of it.",
    promptHint:
      'The page stays as it is between calls. Take a new snapshot after the page has changed: references to its elements go stale.',
    parameters: z.strictObject({
      cmd: z
        .string()
        .min(1)
        .max(20_000)
        .describe('The command without a program name, for example "open https://example.com".'),
      timeout: z.int().min(1).max(LONGEST_SECONDS).default(30).describe('Seconds it may take.'),
      description: z.string().max(2000).optional().describe('What it is for, for the history.'),
      tags: z.string().max(500).optional().describe('Words to find it by, separated by commas.'),
      learn: z.boolean().default(false).describe('Whether a skill may be made of it later.'),
      include_trace: z.boolean().default(false).describe('Whether the result tells every step.'),
    }),
    scene: 'computer',
  },
  sequential: true,
  timeoutMs: (LONGEST_SECONDS + 60) * 1000,
  create: (facilities) => (input, context) =>
    inBrowser(facilities, context.signal, (browser) => {
      const timeout = secondsWithin(input.timeout, context.timeoutMs);
      return browser.exec({ fields: { ...input, timeout }, signal: context.signal });
    }),
});
