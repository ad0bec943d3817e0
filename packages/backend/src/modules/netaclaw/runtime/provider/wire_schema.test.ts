import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fitOpenAiSchema } from './tool_fit.js';
import { schemaFitter } from './wire_schema.js';

const narrow = schemaFitter({ propertyName: /^[a-zA-Z0-9_.-]{1,64}$/ });
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });

describe('what is rewritten', () => {
  const text = { type: 'string' };
  it.each([
    ['nothing at all', {}, object({})],
    ['an object without properties', { type: 'object' }, object({})],
    ['an object that may be null', object({}, { type: ['object', 'null'] }), object({})],
    [
      'marks',
      object({ a: { ...text, $comment: 'x' } }, { $schema: 'x', $id: 'y' }),
      object({ a: text }),
    ],
    ['one alternative', { anyOf: [object({ a: text })] }, object({ a: text })],
    [
      'one part, with words of its own',
      { description: 'mine', allOf: [object({ a: text }, { description: 'its' })] },
      object({ a: text }, { description: 'mine' }),
    ],
    [
      'an array of anything',
      object({ a: { type: 'array' } }),
      object({ a: { type: 'array', items: {} } }),
    ],
    [
      'a tuple',
      object({ a: { type: 'array', prefixItems: [text, { type: 'number' }], items: false } }),
      object({ a: { type: 'array', items: { anyOf: [text, { type: 'number' }] } } }),
    ],
    [
      'an open tuple',
      object({ a: { type: 'array', prefixItems: [text], items: { type: 'null' } } }),
      object({ a: { type: 'array', items: { anyOf: [text, { type: 'null' }] } } }),
    ],
    [
      'a tuple of older drafts',
      object({ a: { type: 'array', items: [text] } }),
      object({ a: { type: 'array', items: { anyOf: [text] } } }),
    ],
    ['a schema that takes anything', object({ a: true }), object({ a: {} })],
    [
      'a reference',
      object(
        { a: { $ref: '#/$defs/t', description: 'here' } },
        { $defs: { t: { ...text, description: 'there' } } },
      ),
      object({ a: { ...text, description: 'here' } }),
    ],
    [
      'a reference to a reference, with escaped names',
      object({ a: { $ref: '#/$defs/x~1y' } }, { $defs: { 'x/y': { $ref: '#/$defs/t' }, t: text } }),
      object({ a: text }),
    ],
    [
      'what lies deep inside',
      object(
        { a: { anyOf: [{ type: 'array' }, { $ref: '#/definitions/t' }] } },
        { definitions: { t: text } },
      ),
      object({ a: { anyOf: [{ type: 'array', items: {} }, text] } }),
    ],
  ])('%s', (_claim, given, expected) => {
    expect(fitOpenAiSchema(given)).toEqual({ ok: true, schema: expected });
  });

  it.each([
    [
      'properties that bear the names of keywords',
      object({ $id: text, $defs: text, definitions: text, $ref: text }),
    ],
    ['alternatives below the top', object({ a: { oneOf: [text, { type: 'number' }] } })],
    [
      'closed objects and maps',
      object({ a: object({}, { additionalProperties: text }) }, { additionalProperties: false }),
    ],
    [
      'limits, defaults and formats',
      object({ a: { ...text, minLength: 1, default: 'x', format: 'uri' } }),
    ],
  ])('%s stay as they are', (_claim, given) => {
    expect(fitOpenAiSchema(given)).toEqual({ ok: true, schema: given });
  });

  it('a schema that contains itself keeps its references', () => {
    const tree = object({ left: { $ref: '#/$defs/tree' } });
    const given = object({ root: { $ref: '#/$defs/tree' } }, { $defs: { tree } });
    expect(fitOpenAiSchema(given)).toEqual({ ok: true, schema: given });
  });
});

describe('what is refused, with the keyword', () => {
  const twice = [object({}), object({ a: {} })];
  const wide = (depth: number): object =>
    object({}, { $defs: Object.fromEntries(doubling(depth)) });
  const doubling = (depth: number): [string, object][] =>
    Array.from({ length: depth }, (_, at) => [
      `n${at}`,
      at === 0
        ? {}
        : object({ a: { $ref: `#/$defs/n${at - 1}` }, b: { $ref: `#/$defs/n${at - 1}` } }),
    ]);

  it.each([
    [{ anyOf: twice }, /keyword anyOf at the top/],
    [{ oneOf: twice }, /keyword oneOf at the top/],
    [object({}, { allOf: twice }), /keyword allOf at the top/],
    [object({}, { not: {} }), /keyword not at the top/],
    [object({}, { enum: [{}] }), /keyword enum at the top/],
    [{ type: 'string' }, /keyword type .* not "object"/],
    [object({ a: { enum: [] } }), /keyword enum at a is empty/],
    [object({ a: false }), /at a is false/],
    [object({ a: { items: 3 } }), /at a\.items is no object/],
    [
      object({ a: { $ref: 'https://example.com/x.json' } }),
      /\$ref leads out .* https:\/\/example\.com\/x\.json/,
    ],
    [object({ a: { $ref: '#/$defs/none' } }), /\$ref leads nowhere: #\/\$defs\/none/],
    [{ ...wide(20), properties: { a: { $ref: '#/$defs/n19' } } }, /unfold to more/],
  ])('%j', (given, sentence) => {
    expect(fitOpenAiSchema(given)).toEqual({ ok: false, problem: expect.stringMatching(sentence) });
  });

  it('names of properties, where a provider is particular about them', () => {
    const given = object({ deep: object({ 'größe in m': {} }) });
    expect(fitOpenAiSchema(given).ok).toBe(true);
    expect(narrow(given)).toEqual({
      ok: false,
      problem: expect.stringMatching(/keyword properties has the name "größe in m"/),
    });
  });

  it('too deep a nest', () => {
    let nest: object = {};
    for (let depth = 0; depth < 50; depth += 1) nest = object({ a: nest });
    expect(fitOpenAiSchema(nest as Record<string, unknown>)).toEqual({
      ok: false,
      problem: 'its parameters are nested too deep',
    });
  });
});

it('is worked out once per schema', () => {
  const given = object({ a: { type: 'array' } });
  expect(fitOpenAiSchema(given)).toBe(fitOpenAiSchema(given));
});

it('takes what zod makes of ordinary parameters', () => {
  const parameters = z.object({
    path: z.string().describe('Where'),
    mode: z.enum(['a', 'b']).optional(),
    pair: z.tuple([z.string(), z.number()]),
    map: z.record(z.string(), z.number()),
    either: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('x') }),
      z.object({ kind: z.literal('y'), n: z.int() }),
    ]),
  });
  expect(fitOpenAiSchema(z.toJSONSchema(parameters, { io: 'input' }))).toMatchSnapshot();
});
