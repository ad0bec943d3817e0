import { z } from 'zod';
import { defineTool } from '../source.js';

export default defineTool({
  schema: {
    name: 'memory_search',
    toolset: 'memory',
    description:
      'Searches the notes about this user, those of earlier conversations included. Finds words and their beginnings, and Chinese; the best match comes first, each with its number.',
    parameters: z.strictObject({
      query: z.string().trim().min(1).max(500).describe('What to look for, in a few words.'),
      limit: z.int().min(1).max(50).default(10).describe('Notes at most.'),
    }),
    scene: 'memory',
  },
  create:
    ({ memory }) =>
    ({ query, limit }) =>
      memory.search(query, limit),
});
