import type { OfferedTool } from '../port.js';
import type { JsonObject } from './json_value.js';
import type { FittedSchema } from './wire_schema.js';

/**
 * Makes the function that writes the `tools` field of a body, a comma in front; empty without tools,
 * because an empty list is refused. A tool whose schema the provider would refuse is left out: the
 * resolver has done so already, but a fallback is offered the tools of another. Each tool is serialised
 * once.
 */
export function toolsFieldMaker(
  fit: (parameters: JsonObject) => FittedSchema,
  shapeOf: (tool: OfferedTool, parameters: JsonObject) => object,
): (tools: readonly OfferedTool[]) => string {
  const kept = new WeakMap<OfferedTool, string>();
  const jsonOf = (tool: OfferedTool): string => {
    const known = kept.get(tool);
    if (known !== undefined) return known;
    const fitted = fit(tool.parameters);
    const json = fitted.ok ? JSON.stringify(shapeOf(tool, fitted.schema)) : '';
    kept.set(tool, json);
    return json;
  };
  return (tools) => {
    const wire = tools.map(jsonOf).filter((json) => json !== '');
    return wire.length === 0 ? '' : `,"tools":[${wire.join(',')}]`;
  };
}
