import { basename } from 'node:path';
import { z } from 'zod';
import { failed, ok, onComputer } from '../common.js';
import { pathParameter } from '../parameter.js';
import { defineTool } from '../source.js';

export default defineTool({
  schema: {
    name: 'download_file',
    toolset: 'sandbox',
    description:
      'Brings a file from the sandbox to the server and, unless told otherwise, sends it to the person with a link that only they can open.',
    promptHint:
      'This is how a person gets a file that you made. Give them the link that the result names.',
    parameters: z.strictObject({
      remote_path: pathParameter('The file in the sandbox.'),
      also_send_to_user: z
        .boolean()
        .default(true)
        .describe('Whether the person gets the file; else it is only kept for later.'),
    }),
    scene: 'computer',
  },
  sequential: true,
  create: (facilities) => (input, context) =>
    onComputer(facilities, context.signal, async ({ files }) => {
      const store = facilities.files;
      if (store === undefined) return failed('This server keeps no files here.');
      const name = basename(input.remote_path) || 'file';
      const kept = await store.keep(name, (path) => files.download(input.remote_path, path));
      const what = `${kept.name} (${kept.size} bytes) is on the server as ${kept.fileId}.`;
      if (!input.also_send_to_user) return ok(`${what} The person was not told of it.`);
      return ok(`${what} It was sent to the person; the link is ${store.send(kept)}`);
    }),
});
