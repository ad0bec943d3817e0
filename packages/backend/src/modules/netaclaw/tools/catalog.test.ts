import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { countingSchema, definitionOf, sourceOf } from '../../../../test/sources.js';
import { Catalog, TOOLSET_DEFAULTS } from './catalog.js';
import type { AnyToolDefinition } from './source.js';

const good = definitionOf({ name: 'good' });

/** What types would not allow, as it comes from a source that was written without them. */
const untyped = (schema: Record<string, unknown>): AnyToolDefinition =>
  Object.assign(definitionOf({ name: 'odd' }), {
    schema: { ...definitionOf({ name: 'odd' }).schema, ...schema },
  });

describe('a declaration that is refused', () => {
  const rows: [string, AnyToolDefinition, string, string][] = [
    ['a name with capitals', untyped({ name: 'Odd' }), 'Odd', 'the name must match'],
    ['a name that begins with a digit', untyped({ name: '1odd' }), '1odd', 'the name must match'],
    ['a name with a hyphen', untyped({ name: 'odd-tool' }), 'odd-tool', 'the name must match'],
    ['an empty name', untyped({ name: '' }), '', 'the name must match'],
    ['a name of 65', untyped({ name: 'o'.repeat(65) }), 'o'.repeat(65), 'the name must match'],
    ['a name that is taken', untyped({ name: 'good' }), 'good', 'declared by the source first'],
    [
      'parameters that are a list',
      untyped({ parameters: z.array(z.string()) }),
      'odd',
      'zod object',
    ],
    [
      'parameters that are JSON Schema',
      untyped({ parameters: { type: 'object' } }),
      'odd',
      'zod object',
    ],
    ['no parameters', untyped({ parameters: undefined }), 'odd', 'zod object'],
    ['a toolset that is not there', untyped({ toolset: 'magic' }), 'odd', 'no toolset "magic"'],
  ];

  it.each(rows)('%s is left out and reported; the rest works', (...[, bad, name, problem]) => {
    const rest = definitionOf({ name: 'rest' });
    const catalog = new Catalog([sourceOf('first', good), sourceOf('second', bad, rest)]);
    expect(catalog.refused).toEqual([
      { name, source: 'second', problem: expect.stringContaining(problem) },
    ]);
    expect(catalog.all().map((entry) => [entry.name, entry.source])).toEqual([
      ['good', 'first'],
      ['rest', 'second'],
    ]);
  });

  it('keeps the first of two with one name, within a source too', () => {
    const second = definitionOf({ name: 'good', description: 'Another.' });
    const catalog = new Catalog([sourceOf('first', good, second)]);
    expect(catalog.getToolSchema('good')).toBe(good.schema);
    expect(catalog.refused).toHaveLength(1);
  });

  it.each(['a', 'o'.repeat(64), 'read_file', 'x9_'])('takes the name %s', (name) => {
    expect(new Catalog([sourceOf('first', definitionOf({ name }))]).refused).toEqual([]);
  });
});

describe('defaults', () => {
  const entryOf = (schema: Partial<AnyToolDefinition['schema']>) =>
    new Catalog([sourceOf('first', definitionOf({ name: 'it', ...schema }))]).get('it');

  it('are filled in', () => {
    expect(entryOf({})).toMatchObject({
      name: 'it',
      source: 'first',
      toolset: 'base',
      description: 'Does it.',
      visibility: 'tool',
      capability: 'text',
      isCore: false,
      canDisable: true,
      supportsPromptHint: false,
      promptHint: null,
      scene: null,
      adminOnly: false,
    });
  });

  it.each([
    [{ isCore: true }, { canDisable: false }],
    [{ isCore: true, canDisable: true }, { canDisable: true }],
    [{ canDisable: false }, { isCore: false, canDisable: false }],
    [{ promptHint: 'Read first.' }, { supportsPromptHint: true, promptHint: 'Read first.' }],
    [{ promptHint: 'Fixed.', supportsPromptHint: false }, { supportsPromptHint: false }],
    [{ supportsPromptHint: true }, { supportsPromptHint: true, promptHint: null }],
    [
      { scene: 'computer', adminOnly: true },
      { scene: 'computer', adminOnly: true },
    ],
  ] as const)('with %j are %j', (given, expected) => {
    expect(entryOf(given)).toMatchObject(expected);
  });

  it('give an agent without a choice these toolsets', () => {
    expect(TOOLSET_DEFAULTS).toEqual(['base', 'planning', 'memory', 'skills']);
  });
});

describe('the JSON Schema of the arguments', () => {
  const parameters = z.strictObject({
    path: z.string().min(1).describe('The file.'),
    limit: z.int().min(1).default(10),
  });
  const catalogWith = (schema: z.ZodObject) =>
    new Catalog([sourceOf('first', definitionOf({ name: 'it', parameters: schema }))]);

  it('is that of the input, without a dialect', () => {
    expect(catalogWith(parameters).get('it')?.parameters).toEqual({
      type: 'object',
      properties: {
        path: { type: 'string', minLength: 1, description: 'The file.' },
        limit: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER, default: 10 },
      },
      required: ['path'],
      additionalProperties: false,
    });
  });

  it('is made when it is first read, and once', () => {
    const { schema, conversions } = countingSchema();
    const entry = catalogWith(schema).get('it');
    expect(conversions()).toBe(0);
    const first = entry?.parameters;
    expect(first).toMatchObject({ properties: { path: { type: 'string' } } });
    expect(entry?.parameters).toBe(first);
    expect(conversions()).toBe(1);
  });

  it('cannot be changed by who reads it', () => {
    expect(Object.isFrozen(catalogWith(parameters).get('it')?.parameters)).toBe(true);
  });

  it('leaves open what JSON Schema cannot say', () => {
    const schema = z.strictObject({ when: z.date() });
    expect(catalogWith(schema).get('it')?.parameters).toMatchObject({ properties: { when: {} } });
  });
});

describe('queries', () => {
  const plan = definitionOf({ name: 'plan', toolset: 'planning' });
  const other = definitionOf({ name: 'other' });
  const catalog = new Catalog([sourceOf('first', good, plan), sourceOf('second', other)]);

  it('give all schemas, in the order of declaration', () => {
    expect(catalog.getAllToolSchemas()).toEqual([good.schema, plan.schema, other.schema]);
  });

  it('give the schema of one name', () => {
    expect(catalog.getToolSchema('plan')).toBe(plan.schema);
    expect(catalog.getToolSchema('nobody')).toBe(undefined);
    expect(catalog.get('nobody')).toBe(undefined);
  });

  it('give the names of a toolset, over all sources', () => {
    expect(catalog.getToolNamesByToolset('base')).toEqual(['good', 'other']);
    expect(catalog.getToolNamesByToolset('document')).toEqual([]);
  });
});
