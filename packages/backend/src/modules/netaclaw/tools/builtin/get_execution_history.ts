import { z } from 'zod';
import { inHistory, listFields } from '../service_record.js';
import { defineTool } from '../source.js';

export default defineTool({
  schema: {
    name: 'get_execution_history',
    toolset: 'skill_lifecycle',
    description:
      'Lists what was executed in the sandbox, with the ids that a skill can be made of. Every filter may be left out.',
    parameters: z.strictObject({
      exec_type: z.string().max(50).optional().describe('For example python, shell or browser.'),
      success_only: z.boolean().optional().describe('Only what went well.'),
      ...listFields,
      tags: z.string().max(500).optional().describe('Only what has one of these words.'),
      has_notes: z.boolean().optional().describe('Only what has notes.'),
      has_description: z.boolean().optional().describe('Only what has a description.'),
    }),
    scene: 'computer',
  },
  create:
    (facilities) =>
    (fields, { signal }) =>
      inHistory(facilities, signal, (history) => history.list({ fields, signal })),
});
