import { z } from 'zod';
import { recordId, withSkills } from '../service_record.js';
import { defineTool } from '../source.js';

export default defineTool({
  schema: {
    name: 'create_skill_candidate',
    toolset: 'skill_lifecycle',
    description:
      'Proposes a skill, from executions in the sandbox and a payload with its content, and returns the id of the candidate.',
    parameters: z.strictObject({
      skill_key: recordId('The name of the skill, the same for every version of it.'),
      source_execution_ids: z
        .array(z.string().min(1).max(200))
        .min(1)
        .max(200)
        .describe('The executions that it comes from.'),
      scenario_key: z.string().max(200).optional().describe('When it is used.'),
      payload_ref: z.string().max(200).optional().describe('The payload with its content.'),
    }),
    scene: 'computer',
  },
  create:
    (facilities) =>
    (fields, { signal }) =>
      withSkills(facilities, signal, (skills) => skills.createCandidate({ fields, signal })),
});
