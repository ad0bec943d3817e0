import { z } from 'zod';
import { ok, onComputer } from '../common.js';
import { showMatches } from '../match_list.js';
import { pathParameter } from '../parameter.js';
import { defineTool } from '../source.js';

export default defineTool({
  schema: {
    name: 'search_files',
    toolset: 'base',
    description:
      'Searches the text of files in the workspace, line by line, and returns "path:line: text" for each line that fits. Binary files, very large files, links, and the folders .git and node_modules are left out.',
    parameters: z.strictObject({
      pattern: z
        .string()
        .min(1)
        .max(1000)
        .describe('A JavaScript regular expression, or plain text when literal is set.'),
      path: pathParameter('The folder to search in, or one file.').default('.'),
      glob: z
        .string()
        .min(1)
        .max(300)
        .optional()
        .describe('Only files that fit, for example "*.ts", "src/**/*.vue" or "*.{js,ts}".'),
      literal: z.boolean().default(false).describe('Take the pattern as plain text.'),
      ignore_case: z.boolean().default(false).describe('Treat capital and small letters alike.'),
      max_matches: z.int().min(1).max(1000).default(100).describe('Stop after this many lines.'),
    }),
    scene: 'computer',
  },
  create: (facilities) => (input, context) =>
    onComputer(facilities, context.signal, async ({ files }) => {
      const result = await files.search({
        pattern: input.pattern,
        literal: input.literal,
        ignoreCase: input.ignore_case,
        path: input.path,
        maxMatches: input.max_matches,
        signal: context.signal,
        ...(input.glob === undefined ? {} : { glob: input.glob }),
      });
      return ok(showMatches(result));
    }),
});
