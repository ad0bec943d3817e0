import { z } from 'zod';
import { failed } from '../common.js';
import { inHistory, recordId } from '../service_record.js';
import { defineTool } from '../source.js';

export default defineTool({
  schema: {
    name: 'annotate_execution',
    toolset: 'skill_lifecycle',
    description: 'Adds a description, tags or notes to something that was executed in the sandbox.',
    parameters: z.strictObject({
      execution_id: recordId('Which execution.'),
      description: z.string().max(4000).optional().describe('What it does.'),
      tags: z.string().max(500).optional().describe('Words to find it by, separated by commas.'),
      notes: z.string().max(8000).optional().describe('What else is worth knowing.'),
    }),
    scene: 'computer',
  },
  create:
    (facilities) =>
    async ({ execution_id: id, ...fields }, { signal }) =>
      Object.keys(fields).length === 0
        ? failed('Give a description, tags or notes.')
        : inHistory(facilities, signal, (history) => history.annotate(id, { fields, signal })),
});
