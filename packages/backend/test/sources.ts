import { z } from 'zod';
import type {
  AnyToolDefinition,
  ToolSchema,
  ToolSource,
} from '../src/modules/netaclaw/tools/source.js';

/** A definition that does nothing, but for what a test says. */
export const definitionOf = (
  schema: Partial<ToolSchema> & { name: string },
  fields: Partial<AnyToolDefinition> = {},
): AnyToolDefinition => ({
  schema: {
    toolset: 'base',
    description: `Does ${schema.name}.`,
    parameters: z.strictObject({}),
    ...schema,
  },
  create: () => async () => ({ status: 'ok', content: schema.name }),
  ...fields,
});

/** A source that declares these and is always up. */
export const sourceOf = (name: string, ...definitions: AnyToolDefinition[]): ToolSource => ({
  name,
  declare: () => definitions,
  offer: () => null,
  unavailable: () => new Map(),
});

/** Parameters that count how often they are converted to JSON Schema. */
export function countingSchema(): { schema: z.ZodObject; conversions(): number } {
  let count = 0;
  const path = z.string();
  // The hook by which a zod type says its own JSON Schema.
  const { _zod: internals } = path;
  internals.toJSONSchema = () => {
    count += 1;
    return { type: 'string' };
  };
  return { schema: z.strictObject({ path }), conversions: () => count };
}
