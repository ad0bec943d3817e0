import { z } from 'zod';
import { failed, ok, onComputer } from '../common.js';
import { pathParameter } from '../parameter.js';
import { patchText } from '../patch_text.js';
import { defineTool } from '../source.js';

export default defineTool({
  schema: {
    name: 'patch',
    toolset: 'base',
    description:
      'Changes a text file of the workspace by replacing one exact piece of text with another. The piece must stand in the file exactly once, spaces included, unless replace_all is set. Line ends of the file are kept.',
    supportsPromptHint: true,
    promptHint:
      'Read the part of the file you change first, and copy old_text from it character by character. Take two or three lines around the change so that it is unique. Make one small change per call.',
    parameters: z.strictObject({
      path: pathParameter('The file to change.'),
      old_text: z
        .string()
        .min(1)
        .max(500_000)
        .describe('The text to replace, exactly as it stands.'),
      new_text: z.string().max(500_000).describe('What stands there afterwards; empty removes it.'),
      replace_all: z
        .boolean()
        .default(false)
        .describe('Replace every occurrence instead of the only one.'),
    }),
    scene: 'computer',
  },
  sequential: true,
  create: (facilities) => (input, context) =>
    onComputer(facilities, context.signal, async ({ files }) => {
      const { path } = input;
      const result = patchText(await files.readText(path), {
        oldText: input.old_text,
        newText: input.new_text,
        replaceAll: input.replace_all,
      });
      if (!result.ok) return failed(`${path} was not changed: ${result.problem}`);
      await files.writeText(path, result.text);
      return ok(`Changed ${path} in ${result.count === 1 ? '1 place' : `${result.count} places`}.`);
    }),
});
