import { z } from 'zod';
import { withSkills } from '../service_record.js';
import { defineTool } from '../source.js';

export default defineTool({
  schema: {
    name: 'create_skill_payload',
    toolset: 'skill_lifecycle',
    description:
      'Stores the content of a skill and returns its payload_ref. The text of its SKILL.md goes into skill_markdown.',
    parameters: z.strictObject({
      payload: z
        .looseObject({
          skill_markdown: z
            .string()
            .max(500_000)
            .optional()
            .describe('The whole SKILL.md, with its front matter (name, description).'),
        })
        .describe('The content of the skill.'),
      kind: z.string().min(1).max(100).default('generic').describe('What kind of content it is.'),
    }),
    scene: 'computer',
  },
  create:
    (facilities) =>
    (fields, { signal }) =>
      withSkills(facilities, signal, (skills) => skills.createPayload({ fields, signal })),
});
