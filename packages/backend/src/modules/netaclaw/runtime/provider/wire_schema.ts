import { isJsonObject, type JsonObject } from './json_value.js';
import { inlineReferences, SchemaProblem } from './schema_references.js';

/** A schema as a provider takes it, or the sentence that says what it would refuse. */
export type FittedSchema = { ok: true; schema: JsonObject } | { ok: false; problem: string };

/** What differs between the protocols. */
export interface SchemaRule {
  /** Names of properties that are taken; null: any. */
  propertyName: RegExp | null;
}

/** Says nothing about values, so it goes. */
const ANNOTATIONS = new Set(['$schema', '$id', '$anchor', '$comment', '$vocabulary']);
/** Still there only when the schema contains itself. */
const DEFINITIONS = new Set(['$defs', 'definitions']);
/** Both OpenAI and Anthropic refuse these beside the `type: object` of a tool's parameters. */
const REFUSED_AT_TOP = ['anyOf', 'oneOf', 'allOf', 'not', 'enum', 'const', 'if'];
const MAX_DEPTH = 40;

/**
 * Makes the function that fits a tool's parameters (JSON Schema, draft 2020-12) to a provider. What it
 * refuses is rewritten where the meaning stays or only widens, since arguments are checked again before
 * the tool runs; anything else is a problem, with the keyword in the sentence. Worked out once per
 * schema object.
 *
 * - References inside the schema are replaced by what they refer to: many servers know none. A schema
 *   that contains itself keeps its references; one to another document is a problem.
 * - At the top: `type: object` with `properties`; an `anyOf`, `oneOf` or `allOf` of one is opened.
 * - An array without `items` gets some, a tuple becomes an array of its kinds.
 * - Marks that say nothing about values go.
 */
export function schemaFitter(rule: SchemaRule): (parameters: JsonObject) => FittedSchema {
  const kept = new WeakMap<JsonObject, FittedSchema>();
  return (parameters) => {
    const known = kept.get(parameters);
    if (known) return known;
    const fitted = fit(parameters, rule);
    kept.set(parameters, fitted);
    return fitted;
  };
}

function fit(parameters: JsonObject, rule: SchemaRule): FittedSchema {
  try {
    const opened = openTop(inlineReferences(parameters));
    return { ok: true, schema: cleanObject(opened, { rule, path: '', depth: 0 }) };
  } catch (error) {
    if (error instanceof SchemaProblem) return { ok: false, problem: error.message };
    throw error;
  }
}

/** The top of the parameters as a plain object schema. */
function openTop(schema: JsonObject): JsonObject {
  const single = ['allOf', 'anyOf', 'oneOf'].find((keyword) => isListOfOne(schema[keyword]));
  if (single !== undefined) {
    const { [single]: list, ...rest } = schema;
    const [only]: unknown[] = Array.isArray(list) ? list : [];
    return openTop(isJsonObject(only) ? { ...only, ...rest } : rest);
  }
  const refused = REFUSED_AT_TOP.find((keyword) => schema[keyword] !== undefined);
  if (refused !== undefined) {
    throw new SchemaProblem(`its parameters use the keyword ${refused} at the top level`);
  }
  const types: readonly unknown[] = Array.isArray(schema['type'])
    ? schema['type']
    : [schema['type']];
  if (schema['type'] !== undefined && !types.includes('object')) {
    throw new SchemaProblem(`the keyword type of its parameters is not "object"`);
  }
  return { ...schema, type: 'object', properties: schema['properties'] ?? {} };
}

const isListOfOne = (value: unknown): boolean => Array.isArray(value) && value.length === 1;

interface Place {
  rule: SchemaRule;
  /** For sentences: `filter.items.name`. */
  path: string;
  depth: number;
}

/** A boolean is a schema too: `true` takes anything, and `false` nothing, which no provider understands. */
function clean(schema: unknown, place: Place): unknown {
  if (schema === true) return {};
  if (schema === false) throw new SchemaProblem(`the schema at ${place.path} is false`);
  if (!isJsonObject(schema)) throw new SchemaProblem(`the schema at ${place.path} is no object`);
  return cleanObject(schema, place);
}

function cleanObject(schema: JsonObject, place: Place): JsonObject {
  if (place.depth > MAX_DEPTH) throw new SchemaProblem('its parameters are nested too deep');
  const cleaned: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(withItems(schema))) {
    if (ANNOTATIONS.has(keyword)) continue;
    cleaned[keyword] = DEFINITIONS.has(keyword)
      ? cleanEach(value, inside(place, keyword))
      : cleanKeyword(keyword, value, place);
  }
  return cleaned;
}

const SCHEMA_LISTS = new Set(['anyOf', 'oneOf', 'allOf']);
const SCHEMAS = new Set(['items', 'contains', 'not', 'if', 'then', 'else', 'propertyNames']);

function cleanKeyword(keyword: string, value: unknown, place: Place): unknown {
  if (keyword === 'properties') return cleanProperties(value, place);
  if (keyword === 'patternProperties') return cleanEach(value, inside(place, keyword));
  if (keyword === 'additionalProperties' && typeof value === 'boolean') return value;
  if (SCHEMAS.has(keyword) || keyword === 'additionalProperties') {
    return clean(value, inside(place, keyword));
  }
  if (SCHEMA_LISTS.has(keyword) && Array.isArray(value)) {
    return value.map((entry, at) => clean(entry, inside(place, `${keyword}.${at}`)));
  }
  if (keyword === 'enum' && Array.isArray(value) && value.length === 0) {
    throw new SchemaProblem(`the keyword enum at ${place.path || 'the top level'} is empty`);
  }
  return value;
}

function cleanProperties(value: unknown, place: Place): JsonObject {
  const { propertyName } = place.rule;
  const bad = Object.keys(isJsonObject(value) ? value : {}).find(
    (name) => propertyName !== null && !propertyName.test(name),
  );
  if (bad !== undefined) {
    throw new SchemaProblem(
      `the keyword properties has the name ${JSON.stringify(bad)}, which does not match ${propertyName?.source}`,
    );
  }
  return cleanEach(value, place);
}

function cleanEach(value: unknown, place: Place): JsonObject {
  const entries = Object.entries(isJsonObject(value) ? value : {});
  return Object.fromEntries(
    entries.map(([name, each]) => [name, clean(each, inside(place, name))]),
  );
}

const inside = ({ rule, path, depth }: Place, step: string): Place => ({
  rule,
  path: path === '' ? step : `${path}.${step}`,
  depth: depth + 1,
});

/** Arrays must say what is in them. A tuple (`prefixItems`, before 2020-12 a list of `items`) lists its kinds. */
function withItems(schema: JsonObject): JsonObject {
  const { prefixItems, items, ...rest } = schema;
  const tuple = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : null;
  if (tuple !== null) {
    const more = isJsonObject(items) || items === true ? [items] : [];
    return { ...rest, items: { anyOf: [...tuple, ...more] } };
  }
  const isArray =
    rest['type'] === 'array' || (Array.isArray(rest['type']) && rest['type'].includes('array'));
  if (items === false) return { ...rest, maxItems: 0, items: {} };
  return isArray || items !== undefined ? { ...rest, items: items ?? {} } : schema;
}
