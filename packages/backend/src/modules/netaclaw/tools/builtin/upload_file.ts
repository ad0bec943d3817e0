import { basename } from 'node:path';
import { z } from 'zod';
import { failed, ok, onComputer } from '../common.js';
import { defineTool } from '../source.js';

export default defineTool({
  schema: {
    name: 'upload_file',
    toolset: 'sandbox',
    description:
      'Brings a file that the person has sent, or that was sent to them, from the server into the working folder of the sandbox, under its own name.',
    parameters: z.strictObject({
      local_path: z
        .string()
        .min(1)
        .max(4096)
        .describe('The name of the file as the person knows it, or its id.'),
    }),
    scene: 'computer',
  },
  sequential: true,
  create: (facilities) => (input, context) =>
    onComputer(facilities, context.signal, async ({ files }) => {
      const found = (await facilities.files?.find(basename(input.local_path))) ?? null;
      if (found === null) {
        return failed(
          `The person has no file "${input.local_path}" on the server. Ask them to send it, or use a name from the conversation.`,
        );
      }
      const target = basename(found.name);
      await files.upload(found.path, target);
      return ok(`${target} (${found.size} bytes) lies in the working folder of the sandbox now.`);
    }),
});
