import { z } from 'zod';
import { ok, onComputer } from '../common.js';
import { showLines } from '../line_window.js';
import { pathParameter } from '../parameter.js';
import { defineTool } from '../source.js';

export default defineTool({
  schema: {
    name: 'read_file',
    toolset: 'base',
    description:
      'Reads a text file of the workspace. Returns the lines exactly as they are, without line numbers; when only a part is shown, a note in brackets at the end says which lines and where to go on.',
    parameters: z.strictObject({
      path: pathParameter('The file to read.'),
      offset: z
        .int()
        .min(1)
        .default(1)
        .describe('The first line to show; 1 is the first of the file.'),
      limit: z.int().min(1).max(5000).default(2000).describe('How many lines to show.'),
    }),
    scene: 'computer',
  },
  create: (facilities) => (input, context) =>
    onComputer(facilities, context.signal, async ({ files }) =>
      ok(showLines(await files.readText(input.path), input)),
    ),
});
