import { z } from 'zod';
import type { AnyToolDefinition, ToolSource } from '../src/modules/netaclaw/tools/source.js';
import { ok } from '../src/modules/netaclaw/tools/common.js';

/** Tools of the toolset that the measured agent has. */
const OFFERED = 20;

/** A source with `count` tools, of which the first twenty are in the toolset `document`, the rest in `vision`. */
export function benchSource(count: number): ToolSource {
  const definitions = Array.from({ length: count }, (_, index) => benchTool(index));
  return {
    name: 'bench',
    declare: () => definitions,
    offer: () => null,
    unavailable: () => new Map(),
  };
}

const benchTool = (index: number): AnyToolDefinition => ({
  schema: {
    name: `bench_${index}`,
    toolset: index < OFFERED ? 'document' : 'vision',
    description: `Tool number ${index} of the benchmark: looks up a record and returns a line about it.`,
    parameters: z.strictObject({
      query: z.string().max(200).describe('What to look up.').optional(),
      limit: z.int().min(1).max(100).default(10).describe('How many records at most.'),
      order: z.enum(['newest', 'oldest', 'best']).default('best').describe('Which come first.'),
    }),
  },
  create: () => async () => ok('done'),
});
