import { z } from 'zod';
import { listFields, withSkills } from '../service_record.js';
import { defineTool } from '../source.js';

export default defineTool({
  schema: {
    name: 'list_skill_candidates',
    toolset: 'skill_lifecycle',
    description: 'Lists proposed skills with their state and evaluation.',
    parameters: z.strictObject({
      skill_key: z.string().max(200).optional().describe('Only those of this skill.'),
      status: z.string().max(50).optional().describe('Only those with this status.'),
      ...listFields,
    }),
    scene: 'computer',
  },
  create:
    (facilities) =>
    (fields, { signal }) =>
      withSkills(facilities, signal, (skills) => skills.candidates({ fields, signal })),
});
