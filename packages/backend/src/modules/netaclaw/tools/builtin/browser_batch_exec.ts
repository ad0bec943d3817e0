import { z } from 'zod';
import { inBrowser, secondsWithin } from '../service_record.js';
import { defineTool } from '../source.js';

const LONGEST_SECONDS = 600;

export default defineTool({
  schema: {
    name: 'browser_batch_exec',
    toolset: 'browser',
    description:
      "Carries out several commands in the sandbox's browser, one after the other, and returns what came of each.",
    promptHint: 'For steps whose order is known beforehand; look at the page between other steps.',
    parameters: z.strictObject({
      commands: z
        .array(z.string().min(1).max(20_000))
        .min(1)
        .max(100)
        .describe('The commands in their order.'),
      timeout: z.int().min(1).max(LONGEST_SECONDS).default(60).describe('Seconds for all of them.'),
      stop_on_error: z.boolean().default(true).describe('Whether the first failure ends it.'),
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
      return browser.batch({ fields: { ...input, timeout }, signal: context.signal });
    }),
});
