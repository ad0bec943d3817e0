import type { ToolCall } from '@netaclaw/contracts';

/** Text that turned out to hold calls: what is left of the text, and the calls. */
export interface RawCalls {
  text: string;
  calls: ToolCall[];
}

const tagged = /<tool_call>([\s\S]*?)<\/tool_call>/g;
const fenced = /```(?:json|tool_call)?[ \t]*\n([\s\S]*?)\n?```/g;

/**
 * Finds calls that a model printed as text instead of making them: `<tool_call>{...}</tool_call>`, a
 * fenced block or a whole answer of JSON in the shape of a call. Only names that are resolved count;
 * everything else stays text. Null when there is none. `idOf` names the n-th call.
 */
export function findRawCalls(
  text: string,
  isResolved: (name: string) => boolean,
  idOf: (index: number) => string,
): RawCalls | null {
  if (!text.includes('{')) return null;
  const calls: Omit<ToolCall, 'id'>[] = [];
  const take = (whole: string, json: string): string => {
    const found = callsIn(json, isResolved);
    calls.push(...found);
    return found.length > 0 ? '' : whole;
  };
  const left = text.replace(tagged, take).replace(fenced, take);
  const rest = calls.length > 0 ? left : take(left, left);
  if (calls.length === 0) return null;
  return { text: rest.trim(), calls: calls.map((call, index) => ({ id: idOf(index), ...call })) };
}

/** Calls in one piece of JSON: an object, or a list in which every item is a call. */
function callsIn(json: string, isResolved: (name: string) => boolean): Omit<ToolCall, 'id'>[] {
  const value = parse(json.trim());
  const items = Array.isArray(value) ? value : [value];
  const calls = items.map(callOf);
  const good = calls.filter((call) => call !== null);
  return good.length === items.length && good.every(({ name }) => isResolved(name)) ? good : [];
}

function callOf(value: unknown): Omit<ToolCall, 'id'> | null {
  if (typeof value !== 'object' || value === null || !('name' in value)) return null;
  const input =
    'arguments' in value ? value.arguments : 'parameters' in value ? value.parameters : null;
  if (typeof value.name !== 'string' || input === null || input === undefined) return null;
  const known = new Set(['name', 'arguments', 'parameters', 'id', 'type']);
  if (Object.keys(value).some((key) => !known.has(key))) return null;
  return { name: value.name, arguments: typeof input === 'string' ? input : JSON.stringify(input) };
}

function parse(json: string): unknown {
  if (!json.startsWith('{') && !json.startsWith('[')) return null;
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
