import { z } from 'zod';
import { recordId, withSkills } from '../service_record.js';
import { defineTool } from '../source.js';

export default defineTool({
  schema: {
    name: 'rollback_skill_release',
    toolset: 'skill_lifecycle',
    description: 'Takes a release back: the one before it is active again.',
    parameters: z.strictObject({ release_id: recordId('Which release.') }),
    scene: 'computer',
    adminOnly: true,
  },
  sequential: true,
  create:
    (facilities) =>
    (input, { signal }) =>
      withSkills(facilities, signal, (skills) => skills.rollback(input.release_id, signal)),
});
