import { describe, expect, it } from 'vitest';
import { countingSchema, definitionOf, sourceOf } from '../../../../test/sources.js';
import { Catalog } from './catalog.js';
import { buildSnapshot, type GovernanceRow } from './registry_snapshot.js';
import type { ToolSchema } from './source.js';

const rowOf = (name: string, fields: Partial<GovernanceRow> = {}): GovernanceRow => ({
  name,
  label: null,
  toolset: 'base',
  source: 'builtin',
  description: null,
  status: 1,
  sort: 0,
  promptHint: null,
  ...fields,
});

const catalogOf = (...schemas: (Partial<ToolSchema> & { name: string })[]) =>
  new Catalog([sourceOf('builtin', ...schemas.map((schema) => definitionOf(schema)))]);

/** One tool, declared like this, governed like that. */
const join = (schema: Partial<ToolSchema>, row: Partial<GovernanceRow> = {}) =>
  buildSnapshot(catalogOf({ name: 'it', ...schema }), [rowOf('it', row)], '1').get('it');

describe('a governed tool', () => {
  it("is the code's declaration joined with the operator's row", () => {
    const schema = {
      visibility: 'internal',
      capability: 'vision',
      isCore: true,
      scene: 'computer',
      adminOnly: true,
    } as const;
    expect(join(schema, { label: 'It!', status: 0, sort: 5 })).toMatchObject({
      name: 'it',
      label: 'It!',
      toolset: 'base',
      source: 'builtin',
      ...schema,
      canDisable: false,
      inCatalog: true,
      status: 0,
      sort: 5,
    });
  });

  it("takes what is the code's from the code, whatever a row that is not synced yet says", () => {
    expect(join({ toolset: 'planning' }, { toolset: 'base', source: 'old' })).toMatchObject({
      toolset: 'planning',
      source: 'builtin',
    });
  });

  it('is named by its name until it has a label', () => {
    expect(join({})?.label).toBe('it');
  });

  it('that only a row remembers is not in the catalog', () => {
    const snapshot = buildSnapshot(catalogOf(), [rowOf('gone', { source: 'mcp' })], '1');
    expect(snapshot.get('gone')).toMatchObject({
      inCatalog: false,
      toolset: 'base',
      source: 'mcp',
      promptHint: null,
    });
    expect(snapshot.inToolset('base')).toHaveLength(1);
  });

  it('that has no row is not there', () => {
    const snapshot = buildSnapshot(catalogOf({ name: 'it' }), [], '1');
    expect(snapshot.get('it')).toBe(undefined);
    expect(snapshot.inToolset('base')).toEqual([]);
    expect(snapshot.size).toBe(0);
  });
});

describe('the prompt hint', () => {
  const rows = [
    { code: 'Code.', supports: undefined, row: null, hint: 'Code.' },
    { code: 'Code.', supports: undefined, row: 'Operator.', hint: 'Operator.' },
    { code: undefined, supports: true, row: 'Operator.', hint: 'Operator.' },
    { code: undefined, supports: undefined, row: null, hint: null },
    { code: undefined, supports: undefined, row: 'Left over.', hint: null },
    { code: 'Code.', supports: false, row: 'Left over.', hint: 'Code.' },
  ];
  it.each(rows)(
    'is $hint for code $code, support $supports, row $row',
    ({ code, supports, row, hint }) => {
      const schema = {
        ...(code === undefined ? {} : { promptHint: code }),
        ...(supports === undefined ? {} : { supportsPromptHint: supports }),
      };
      expect(join(schema, { promptHint: row })?.promptHint).toBe(hint);
    },
  );

  it('of a tool that the code forgot is not said', () => {
    const rows = [rowOf('gone', { promptHint: 'Operator.' })];
    expect(buildSnapshot(catalogOf(), rows, '1').get('gone')?.promptHint).toBeNull();
  });
});

describe('what a model is told', () => {
  it.each([
    [null, 'Does it.'],
    ['In other words.', 'In other words.'],
  ])('with the description %j in the row is %j', (description, told) => {
    expect(join({}, { description })?.offered).toMatchObject({ name: 'it', description: told });
  });

  it('has a schema that is converted only when it is read', () => {
    const { schema, conversions } = countingSchema();
    const tool = join({ parameters: schema });
    expect(conversions()).toBe(0);
    expect(tool?.offered.parameters).toMatchObject({ required: ['path'] });
    expect(tool?.offered.parameters).toBe(tool?.offered.parameters);
    expect(conversions()).toBe(1);
  });

  it('is one object for as long as the snapshot stands', () => {
    const snapshot = buildSnapshot(catalogOf({ name: 'it' }), [rowOf('it')], '1');
    expect(snapshot.get('it')?.offered).toBe(snapshot.inToolset('base')[0]?.offered);
  });
});

describe('a toolset', () => {
  it('is in the order of sort, then name, whatever the order of the rows', () => {
    const names = ['delta', 'alpha', 'charlie', 'bravo'];
    const catalog = catalogOf(...names.map((name) => ({ name })));
    const rows = names.map((name) => rowOf(name, { sort: name === 'delta' ? -1 : 0 }));
    for (const shuffled of [rows, rows.toReversed(), [...rows.slice(2), ...rows.slice(0, 2)]]) {
      const members = buildSnapshot(catalog, shuffled, '1').inToolset('base');
      expect(members.map(({ name }) => name)).toEqual(['delta', 'alpha', 'bravo', 'charlie']);
    }
  });

  it('that nobody has is empty', () => {
    expect(buildSnapshot(catalogOf(), [], '7').inToolset('crew')).toEqual([]);
  });

  it('belongs to a version', () => {
    expect(buildSnapshot(catalogOf(), [], '7').version).toBe('7');
  });
});
