import { z } from 'zod';
import { ok, onComputer } from '../common.js';
import { showEntries } from '../entry_list.js';
import { pathParameter } from '../parameter.js';
import { defineTool } from '../source.js';

export default defineTool({
  schema: {
    name: 'list_dir',
    toolset: 'base',
    description:
      'Lists a folder of the workspace, one entry a line: folders first and with a slash at the end, files with their size. Does not go into folders below.',
    parameters: z.strictObject({ path: pathParameter('The folder to list.').default('.') }),
    scene: 'computer',
  },
  create: (facilities) => (input, context) =>
    onComputer(facilities, context.signal, async ({ files }) =>
      ok(showEntries(await files.list(input.path))),
    ),
});
