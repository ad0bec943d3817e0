/** Bytes of JSON that one value of an audit row may have. */
export const MAX_VALUE_BYTES = 16 * 1024;
const MAX_TEXT = 2000;
const MAX_DEPTH = 32;

/** `token` but not `tokens`, `apiKey` but not `apiKeyHint`: the end of a name decides. */
const secretName =
  /(^key|password|passwd|secret|api_?key|access_?key|private_?key|token|authorization|cookie|credentials?|(password|key|token)_?hash)$/;

/** True for a name under which secrets travel. */
export const isSecretName = (name: string): boolean =>
  secretName.test(name.toLowerCase().replaceAll('-', '_'));

/**
 * What the audit stores of a value: secrets replaced by the name they stand under, long text cut, and
 * no more than `MAX_VALUE_BYTES` of JSON. Always an object, a list or null, which every database's
 * JSON column gives back as it was.
 */
export function auditValue(value: unknown): object | null {
  if (value === undefined || value === null) return null;
  const plain = plainOf(value, 0);
  const wrapped = typeof plain === 'object' && plain !== null ? plain : { value: plain };
  const text = JSON.stringify(wrapped);
  const size = Buffer.byteLength(text);
  if (size <= MAX_VALUE_BYTES) return wrapped;
  return { truncated: true, size, start: text.slice(0, MAX_TEXT) };
}

function plainOf(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return cut(value);
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return value.toISOString();
  if (depth >= MAX_DEPTH) return '[too deep]';
  if (Array.isArray(value)) return value.map((item) => plainOf(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, plainMember(name, inner, depth)]),
  );
}

function plainMember(name: string, value: unknown, depth: number): unknown {
  if (isSecretName(name) && value !== null && value !== undefined) return '[secret]';
  return plainOf(value, depth + 1);
}

function cut(text: string): string {
  if (text.length <= MAX_TEXT) return text;
  return `${text.slice(0, MAX_TEXT)}… (${text.length - MAX_TEXT} more characters)`;
}
