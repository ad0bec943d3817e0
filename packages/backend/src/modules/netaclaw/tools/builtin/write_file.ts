import { z } from 'zod';
import { ok, onComputer } from '../common.js';
import { pathParameter } from '../parameter.js';
import { defineTool } from '../source.js';

export default defineTool({
  schema: {
    name: 'write_file',
    toolset: 'base',
    description:
      'Writes a text file of the workspace: creates it, with the folders above it, or replaces all of its content.',
    promptHint:
      'Give the whole content; what is not in it is gone afterwards. Read an existing file before replacing it.',
    parameters: z.strictObject({
      path: pathParameter('The file to write.'),
      content: z.string().max(5_000_000).describe('The complete new content.'),
    }),
    scene: 'computer',
  },
  sequential: true,
  create: (facilities) => (input, context) =>
    onComputer(facilities, context.signal, async ({ files }) => {
      await files.writeText(input.path, input.content);
      return ok(`Wrote ${Buffer.byteLength(input.content)} bytes to ${input.path}.`);
    }),
});
