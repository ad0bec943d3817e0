import { z } from 'zod';
import { ok } from '../common.js';
import { defineTool } from '../source.js';

const MARKS = { pending: '[ ]', in_progress: '[>]', completed: '[x]' } as const;

export default defineTool({
  schema: {
    name: 'todo',
    toolset: 'planning',
    description:
      'Writes down the steps of a longer piece of work and how far each has come. Every call gives the complete list, which replaces the one before.',
    promptHint:
      'Use it for work of three steps or more: set one step to in_progress before you begin it, and to completed as soon as it is done.',
    parameters: z.strictObject({
      items: z
        .array(
          z.strictObject({
            content: z.string().trim().min(1).max(500).describe('The step, in a few words.'),
            status: z
              .enum(['pending', 'in_progress', 'completed'])
              .describe('How far it has come.'),
          }),
        )
        .max(50)
        .describe('All steps in order, the finished ones too.'),
    }),
    visibility: 'internal',
    isCore: true,
  },
  create: () => async (input) => {
    if (input.items.length === 0) return ok('The list is empty now.');
    const done = input.items.filter((item) => item.status === 'completed').length;
    const lines = input.items.map((item) => `${MARKS[item.status]} ${item.content}`);
    return ok([...lines, `${done} of ${input.items.length} completed.`].join('\n'));
  },
});
