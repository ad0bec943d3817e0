/** The JSON of an object, made once and kept for as long as the object lives. */
export function jsonOnce<K extends object>(
  cache: WeakMap<K, string>,
  key: K,
  make: (key: K) => string,
): string {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const json = make(key);
  cache.set(key, json);
  return json;
}
