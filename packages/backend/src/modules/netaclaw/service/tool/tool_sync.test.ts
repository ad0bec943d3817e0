import { describe, expect, it } from 'vitest';
import { definitionOf, sourceOf } from '../../../../../test/sources.js';
import { Catalog, type CatalogEntry } from '../../tools/catalog.js';
import type { ToolSchema } from '../../tools/source.js';
import {
  codeFields,
  hasChanges,
  planSync,
  syncResultOf,
  type CodeFields,
  type SyncedRow,
} from './tool_sync.js';

const entriesOf = (...schemas: (Partial<ToolSchema> & { name: string })[]): CatalogEntry[] => [
  ...new Catalog([sourceOf('builtin', ...schemas.map((schema) => definitionOf(schema)))]).all(),
];

/** The row of an ordinary tool as a sync left it. */
const rowOf = (name: string, fields: Partial<SyncedRow> = {}): SyncedRow => ({
  id: 1,
  name,
  toolset: 'base',
  visibility: 'tool',
  capability: 'text',
  isCore: 0,
  canDisable: 1,
  source: 'builtin',
  catalogState: 'present',
  ...fields,
});

const asDeclared: CodeFields = {
  toolset: 'base',
  visibility: 'tool',
  capability: 'text',
  isCore: 0,
  canDisable: 1,
  source: 'builtin',
  catalogState: 'present',
};

describe('planSync', () => {
  it('inserts what has no row', () => {
    const entries = entriesOf({ name: 'it' });
    expect(planSync(entries, [])).toEqual({
      inserts: entries,
      updates: [],
      missingIds: [],
      unchanged: 0,
    });
  });

  it('leaves alone what agrees', () => {
    const plan = planSync(entriesOf({ name: 'it' }), [rowOf('it')]);
    expect(plan).toEqual({ inserts: [], updates: [], missingIds: [], unchanged: 1 });
    expect(hasChanges(plan)).toBe(false);
  });

  const changes: [string, Partial<SyncedRow>][] = [
    ['toolset', { toolset: 'planning' }],
    ['visibility', { visibility: 'internal' }],
    ['a visibility that was never written', { visibility: null }],
    ['capability', { capability: 'vision' }],
    ['a capability that was never written', { capability: null }],
    ['isCore', { isCore: 1 }],
    ['canDisable', { canDisable: 0 }],
    ['source', { source: 'mcp' }],
    ['catalogState: the tool is back again', { catalogState: 'missing' }],
  ];

  it.each(changes)("brings a row back to the code's value: %s", (_field, changed) => {
    const plan = planSync(entriesOf({ name: 'it' }), [rowOf('it', { id: 7, ...changed })]);
    expect(plan).toEqual({
      inserts: [],
      updates: [{ id: 7, fields: asDeclared }],
      missingIds: [],
      unchanged: 0,
    });
    expect(hasChanges(plan)).toBe(true);
  });

  it('marks as missing what the code does not declare', () => {
    const plan = planSync([], [rowOf('gone', { id: 7 })]);
    expect(plan).toEqual({ inserts: [], updates: [], missingIds: [7], unchanged: 0 });
    expect(hasChanges(plan)).toBe(true);
  });

  it('marks it once', () => {
    const plan = planSync([], [rowOf('gone', { catalogState: 'missing' })]);
    expect(plan).toEqual({ inserts: [], updates: [], missingIds: [], unchanged: 1 });
  });

  it('finds nothing to do after it has been carried out', () => {
    const entries = entriesOf({ name: 'a' }, { name: 'b', isCore: true }, { name: 'c' });
    const before = [rowOf('b'), rowOf('c', { id: 2 }), rowOf('d', { id: 3 })];
    const plan = planSync(entries, before);
    expect(syncResultOf(plan, [])).toMatchObject({
      inserted: 1,
      updated: 1,
      missing: 1,
      unchanged: 1,
    });
    const after = [
      ...plan.inserts.map((entry) => rowOf(entry.name, { id: 4, ...codeFields(entry) })),
      ...before.map((row) => ({
        ...row,
        ...plan.updates.find(({ id }) => id === row.id)?.fields,
        ...(plan.missingIds.includes(row.id) ? { catalogState: 'missing' } : {}),
      })),
    ];
    const again = planSync(entries, after);
    expect(again).toEqual({ inserts: [], updates: [], missingIds: [], unchanged: 4 });
  });
});

describe("the code's fields", () => {
  const operatorFields = new Set(['label', 'description', 'status', 'promptHint', 'sort', 'extra']);

  it("are never an operator's", () => {
    const [entry] = entriesOf({ name: 'it', promptHint: 'Read first.', description: 'Does.' });
    const keys = Object.keys(entry ? codeFields(entry) : {});
    expect(keys.toSorted()).toEqual([
      'canDisable',
      'capability',
      'catalogState',
      'isCore',
      'source',
      'toolset',
      'visibility',
    ]);
    expect(keys.filter((key) => operatorFields.has(key))).toEqual([]);
  });

  it.each([
    [{ isCore: true }, { isCore: 1, canDisable: 0 }],
    [
      { isCore: true, canDisable: true },
      { isCore: 1, canDisable: 1 },
    ],
    [
      { visibility: 'skill', capability: 'vision' },
      { visibility: 'skill', capability: 'vision' },
    ],
  ] as const)('of %j are %j', (schema, expected) => {
    const [entry] = entriesOf({ name: 'it', ...schema });
    expect(entry && codeFields(entry)).toMatchObject(expected);
  });
});

it('reports the declarations that were left out', () => {
  const refused = [{ name: 'Odd', source: 'mcp', problem: 'the name must match' }];
  expect(syncResultOf(planSync([], []), refused)).toEqual({
    inserted: 0,
    updated: 0,
    missing: 0,
    unchanged: 0,
    refused,
  });
});
