import { memoryTextSchema } from '@netaclaw/contracts';
import { z } from 'zod';
import { defineTool } from '../source.js';

export default defineTool({
  schema: {
    name: 'memory_save',
    toolset: 'memory',
    description:
      'Notes something about this user that will matter in later conversations: who they are, what they prefer, what was decided. The note is there from the next conversation on.',
    promptHint:
      'Save what will still be true and useful in another conversation, one fact a note, in the language of the user. Save no passwords or keys, nothing of the moment, and nothing the user does not want kept. When a note has become wrong, save the new one in its place.',
    parameters: z.strictObject({
      text: memoryTextSchema.describe('One fact, complete in itself.'),
      replaces: z
        .int()
        .min(1)
        .nullish()
        .describe('The number of a note that this one takes the place of.'),
    }),
    scene: 'memory',
  },
  sequential: true,
  create:
    ({ memory }) =>
    ({ text, replaces }) =>
      memory.save(text, replaces ?? null),
});
