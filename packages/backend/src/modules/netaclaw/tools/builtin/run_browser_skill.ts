import { z } from 'zod';
import { inBrowser, recordId, secondsWithin } from '../service_record.js';
import { defineTool } from '../source.js';

const LONGEST_SECONDS = 600;

export default defineTool({
  schema: {
    name: 'run_browser_skill',
    toolset: 'browser',
    description: "Runs a released browser skill in the sandbox's browser, by its key.",
    parameters: z.strictObject({
      skill_key: recordId('The key of the skill.'),
      timeout: z.int().min(1).max(LONGEST_SECONDS).default(60).describe('Seconds it may take.'),
      stop_on_error: z.boolean().default(true).describe('Whether the first failure ends it.'),
      include_trace: z.boolean().default(false).describe('Whether the result tells every step.'),
      description: z.string().max(2000).optional().describe('What it is for, for the history.'),
      tags: z.string().max(500).optional().describe('Words to find it by, separated by commas.'),
    }),
    scene: 'computer',
  },
  sequential: true,
  timeoutMs: (LONGEST_SECONDS + 60) * 1000,
  create:
    (facilities) =>
    ({ skill_key: skillKey, ...input }, context) =>
      inBrowser(facilities, context.signal, (browser) => {
        const timeout = secondsWithin(input.timeout, context.timeoutMs);
        return browser.runSkill(skillKey, {
          fields: { ...input, timeout },
          signal: context.signal,
        });
      }),
});
