import { z } from 'zod';
import type { AnyToolDefinition, ToolSource } from '../src/modules/netaclaw/tools/source.js';

/** A source whose declarations a test changes; the catalog follows at the next `add`. */
export interface TestSource extends ToolSource {
  tools: AnyToolDefinition[];
}

export const testSource = (name: string, tools: AnyToolDefinition[] = []): TestSource => ({
  name,
  tools,
  declare() {
    return this.tools;
  },
  offer: () => null,
  unavailable: () => new Map(),
});

/** A tool of the toolset `document`, which has none of its own. It answers with `run`'s text. */
export const testTool = (
  schema: Partial<AnyToolDefinition['schema']> & { name: string },
  run: (signal: AbortSignal) => Promise<string> | string = () => 'done',
): AnyToolDefinition => ({
  schema: {
    toolset: 'document',
    description: `The tool ${schema.name} of a test.`,
    parameters: z.strictObject({}),
    ...schema,
  },
  create:
    () =>
    async (_input, { signal }) => ({ status: 'ok', content: await run(signal) }),
});

/** Something that a test holds up and lets go on; `entered` resolves when somebody waits at it. */
export function makeGate(): { entered: Promise<void>; wait(): Promise<void>; open(): void } {
  let enter = (): void => {};
  let open = (): void => {};
  const entered = new Promise<void>((resolve) => (enter = resolve));
  const opened = new Promise<void>((resolve) => (open = resolve));
  return {
    entered,
    wait() {
      enter();
      return opened;
    },
    open: () => open(),
  };
}
