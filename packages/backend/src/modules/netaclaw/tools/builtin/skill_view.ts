import { SKILL_LIMITS, slugSchema } from '@netaclaw/contracts';
import { z } from 'zod';
import { failed, ok } from '../common.js';
import { defineTool } from '../source.js';

export default defineTool({
  schema: {
    name: 'skill_view',
    toolset: 'skills',
    description: 'Reads a skill of this agent whole, or one of the files that belong to it.',
    parameters: z.strictObject({
      name: slugSchema.describe('The name of the skill.'),
      file: z
        .string()
        .min(1)
        .max(SKILL_LIMITS.path)
        .optional()
        .describe('The path of a file of the skill; without it the skill itself is read.'),
    }),
    visibility: 'skill',
    scene: 'skills',
  },
  create: (facilities) => async (input) => {
    const reading = await facilities.skills.read(input.name, input.file ?? null);
    if (!reading.found) return failed(reading.problem);
    if (reading.files.length === 0) return ok(reading.text);
    const list = reading.files.map((path) => `- ${path}`).join('\n');
    return ok(`${reading.text}\n\nFiles of this skill, to be read by their path:\n${list}`);
  },
});
