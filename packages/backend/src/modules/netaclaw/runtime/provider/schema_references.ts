import { isJsonObject, type JsonObject } from './json_value.js';

/** Why a schema cannot be told to a provider; the message goes on after "The provider would refuse it: ". */
export class SchemaProblem extends Error {
  override readonly name = 'SchemaProblem';
}

const MAX_NODES = 20_000;

/**
 * Replaces every reference inside a schema by a copy of what it refers to; words beside a reference
 * win. A schema that contains itself is given back as it is. Throws `SchemaProblem` for a reference
 * that leads out of the document or nowhere, and for one that would unfold without measure.
 */
export function inlineReferences(root: JsonObject): JsonObject {
  let nodes = 0;
  let isRecursive = false;

  const walk = (value: unknown, open: readonly string[]): unknown => {
    nodes += 1;
    if (nodes > MAX_NODES)
      throw new SchemaProblem('its references unfold to more than can be sent');
    if (Array.isArray(value)) return value.map((entry) => walk(entry, open));
    if (!isJsonObject(value)) return value;
    const { $ref } = value;
    return typeof $ref === 'string' ? follow($ref, value, open) : walkFields(value, open);
  };

  const walkFields = (value: JsonObject, open: readonly string[]): JsonObject =>
    Object.fromEntries(
      Object.entries(value).map(([keyword, field]) => [keyword, walk(field, open)]),
    );

  const follow = (reference: string, holder: JsonObject, open: readonly string[]): unknown => {
    const target = targetOf(root, reference);
    if (open.includes(reference)) {
      isRecursive = true;
      return holder;
    }
    const { $ref: _followed, ...beside } = holder;
    const copy = walk(target, [...open, reference]);
    return isJsonObject(copy) ? { ...copy, ...walkFields(beside, open) } : copy;
  };

  const { $defs: _defs, definitions: _definitions, ...schema } = root;
  const inlined = walk(schema, []);
  return isRecursive || !isJsonObject(inlined) ? root : inlined;
}

/** What a reference within the document (`#/$defs/name`, RFC 6901) points at. */
function targetOf(root: JsonObject, reference: string): unknown {
  if (!reference.startsWith('#')) {
    throw new SchemaProblem(`the keyword $ref leads out of its parameters, to ${reference}`);
  }
  const steps = reference.slice(1).split('/').slice(1).map(unescape);
  let target: unknown = root;
  for (const step of steps) {
    if (Array.isArray(target)) target = target[Number(step)];
    else target = isJsonObject(target) && Object.hasOwn(target, step) ? target[step] : undefined;
  }
  if (target === undefined) throw new SchemaProblem(`the keyword $ref leads nowhere: ${reference}`);
  return target;
}

const unescape = (step: string): string =>
  decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
