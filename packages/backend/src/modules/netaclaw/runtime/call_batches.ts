import type { ToolCall } from '@netaclaw/contracts';
import type { ToolSet } from './tool_set.js';

/** Calls that may run side by side, in order; a sequential tool's call stands alone. */
export function batchesOf(calls: readonly ToolCall[], tools: ToolSet): ToolCall[][] {
  const batches: ToolCall[][] = [];
  let joins = false;
  for (const call of calls) {
    const alone = tools.get(call.name)?.sequential ?? false;
    const last = batches.at(-1);
    if (last && joins && !alone) last.push(call);
    else batches.push([call]);
    joins = !alone;
  }
  return batches;
}
