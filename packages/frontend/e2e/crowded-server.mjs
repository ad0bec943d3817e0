// The built server whose code declares ten thousand tools more, as a house with many sources would.
import { createRequire } from 'node:module';

const dist = new URL('../../backend/dist/', import.meta.url);
const { z } = createRequire(dist)('zod');
const { NetaClawToolSourcesService } = await import(
  new URL('modules/netaclaw/service/tool/tool_sources.js', dist).href
);

const definitions = Array.from({ length: 10_000 }, (_, index) => ({
  schema: {
    name: `crowd_${String(index).padStart(5, '0')}`,
    toolset: 'base',
    description: `Tool number ${index} of the crowd: looks up a record and returns a line about it.`,
    parameters: z.strictObject({
      query: z.string().max(200).describe('What to look up.').optional(),
      limit: z.int().min(1).max(100).default(10).describe('How many records at most.'),
    }),
  },
  create: () => async () => ({ status: 'ok', text: 'done' }),
}));

const { start } = NetaClawToolSourcesService.prototype;
NetaClawToolSourcesService.prototype.start = async function () {
  await start.call(this);
  this.add({
    name: 'crowd',
    declare: () => definitions,
    offer: () => null,
    unavailable: () => new Map(),
  });
};
await import(new URL('main.js', dist).href);
