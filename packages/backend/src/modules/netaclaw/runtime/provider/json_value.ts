/** A JSON object whose fields are not known yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Parses text that may be anything; undefined when it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // foreign text: not being JSON is an ordinary answer
  }
}

/** The text of a field, or empty when it is anything else. */
export function textField(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
