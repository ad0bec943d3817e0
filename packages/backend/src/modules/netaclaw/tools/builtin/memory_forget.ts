import { z } from 'zod';
import { defineTool } from '../source.js';

export default defineTool({
  schema: {
    name: 'memory_forget',
    toolset: 'memory',
    description:
      'Forgets notes about this user for good, by their numbers: what has become wrong, or what the user wants forgotten.',
    parameters: z.strictObject({
      ids: z.array(z.int().min(1)).min(1).max(50).describe('The numbers of the notes.'),
    }),
    scene: 'memory',
  },
  sequential: true,
  create:
    ({ memory }) =>
    ({ ids }) =>
      memory.forget(ids),
});
