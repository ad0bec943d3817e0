import { z } from 'zod';
import { listFields, withSkills } from '../service_record.js';
import { defineTool } from '../source.js';

export default defineTool({
  schema: {
    name: 'list_skill_releases',
    toolset: 'skill_lifecycle',
    description:
      'Lists released skills with their stage and version, and which of them are active.',
    parameters: z.strictObject({
      skill_key: z.string().max(200).optional().describe('Only those of this skill.'),
      active_only: z.boolean().optional().describe('Only those that are in use.'),
      stage: z.enum(['canary', 'stable']).optional().describe('Only those of this stage.'),
      ...listFields,
    }),
    scene: 'computer',
  },
  create:
    (facilities) =>
    (fields, { signal }) =>
      withSkills(facilities, signal, (skills) => skills.releases({ fields, signal })),
});
