import { z } from 'zod';
import { recordId, withSkills } from '../service_record.js';
import { defineTool } from '../source.js';

export default defineTool({
  schema: {
    name: 'get_skill_payload',
    toolset: 'skill_lifecycle',
    description: 'Returns the stored content of a skill.',
    parameters: z.strictObject({ payload_ref: recordId('Which payload.') }),
    scene: 'computer',
  },
  create:
    (facilities) =>
    (input, { signal }) =>
      withSkills(facilities, signal, (skills) => skills.payload(input.payload_ref, signal)),
});
