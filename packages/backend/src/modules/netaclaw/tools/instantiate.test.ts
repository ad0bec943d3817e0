import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { governedTool } from '../../../../test/governed_tools.js';
import { definitionOf, sourceOf } from '../../../../test/sources.js';
import { facilitiesWith } from '../../../../test/tool_call.js';
import type { ResolvedTools } from '../runtime/tools/resolve_tools.js';
import { Catalog } from './catalog.js';
import { instantiateTools, type Declarations } from './instantiate.js';
import type { AnyToolDefinition } from './source.js';

const facilities = facilitiesWith(() => Promise.reject(new Error('no computer')));
const context = { callId: 'a', signal: new AbortController().signal, timeoutMs: 1000 };

const resolvedOf = (names: readonly string[], fields: Partial<ResolvedTools> = {}) => ({
  tools: names.map((name) => governedTool(name)),
  toolNames: names,
  builtinToolNames: names,
  toolPromptHints: [],
  disabledReasons: [],
  warnings: [],
  ...fields,
});

const setOf = (resolved: ResolvedTools, ...definitions: AnyToolDefinition[]) =>
  instantiateTools(resolved, declarationsOf(definitions), facilities);

const declarationsOf = (definitions: readonly AnyToolDefinition[]): Declarations => {
  const catalog = new Catalog([sourceOf('builtin', ...definitions)]);
  return { of: ({ name }) => catalog.get(name) };
};

describe('what can be executed', () => {
  it('is exactly what is offered', () => {
    const definitions = ['a', 'b', 'c'].map((name) => definitionOf({ name }));
    const tools = setOf(resolvedOf(['b', 'a']), ...definitions);
    expect(tools.offered.map(({ name }) => name)).toEqual(['b', 'a']);
    expect(['a', 'b', 'c', 'nobody'].filter((name) => tools.get(name))).toEqual(['a', 'b']);
  });

  it.each(['__proto__', 'constructor', 'toString', ''])('is not the name %j', (name) => {
    expect(setOf(resolvedOf(['a']), definitionOf({ name: 'a' })).get(name)).toBe(undefined);
  });

  it('is not a resolved name that the catalog has lost', () => {
    expect(setOf(resolvedOf(['a'])).get('a')).toBe(undefined);
  });

  it('is offered as the registry keeps it, the same object each time', () => {
    const resolved = resolvedOf(['a']);
    const [tool] = resolved.tools;
    expect(setOf(resolved, definitionOf({ name: 'a' })).offered[0]).toBe(tool?.offered);
  });
});

describe('an instance', () => {
  it('is made at the first execution, once, with the facilities of the run', async () => {
    const create = vi.fn<AnyToolDefinition['create']>(() => async () => ({
      status: 'ok',
      content: 'done',
    }));
    const tools = setOf(resolvedOf(['a']), definitionOf({ name: 'a' }, { create }));
    const tool = tools.get('a');
    tool?.parse({});
    expect(create).not.toHaveBeenCalled();
    expect(await tool?.execute({}, context)).toEqual({ status: 'ok', content: 'done' });
    await tools.get('a')?.execute({}, context);
    expect(create.mock.calls).toEqual([[facilities]]);
  });

  it('that cannot be made costs its call only', async () => {
    const create = () => {
      throw new Error('no key is set');
    };
    const tools = setOf(resolvedOf(['a']), definitionOf({ name: 'a' }, { create }));
    await expect(tools.get('a')?.execute({}, context)).rejects.toThrow('no key is set');
  });

  it.each([
    [{}, { sequential: false, timeoutMs: null }],
    [
      { sequential: true, timeoutMs: 5000 },
      { sequential: true, timeoutMs: 5000 },
    ],
  ])('declared with %j has %j', (fields, expected) => {
    const tools = setOf(resolvedOf(['a']), definitionOf({ name: 'a' }, fields));
    expect(tools.get('a')).toMatchObject(expected);
  });
});

describe('arguments', () => {
  const parameters = z.strictObject({
    path: z.string().min(1),
    lines: z.strictObject({ from: z.int() }).optional(),
    limit: z.int().max(10).default(5),
  });
  const parse = (value: unknown) =>
    setOf(resolvedOf(['a']), definitionOf({ name: 'a', parameters }))
      .get('a')
      ?.parse(value);

  it('get the defaults of the schema', () => {
    expect(parse({ path: 'x' })).toEqual({ ok: true, value: { path: 'x', limit: 5 } });
  });

  it.each([
    ['a missing field', {}, ['path: ', 'expected string']],
    ['a wrong type', { path: 1 }, ['path: ', 'expected string, received number']],
    ['a wrong type further in', { path: 'x', lines: { from: 'a' } }, ['lines.from: ', 'number']],
    ['an unknown field', { path: 'x', oops: 1 }, ['the arguments: ', '"oops"']],
    ['a list', [], ['the arguments: ', 'expected object']],
    ['null', null, ['the arguments: ', 'expected object']],
    ['two faults', { path: '', limit: 11 }, ['path: ', 'limit: ', '; ']],
  ])('with %s say where and what was expected', (_what, value, parts) => {
    const result = parse(value);
    expect(result).toMatchObject({ ok: false });
    for (const part of parts)
      expect(JSON.stringify(result)).toContain(JSON.stringify(part).slice(1, -1));
  });
});

describe('a refusal', () => {
  const detail = 'Turned off for all agents. Turn it on in Tools > a.';
  const resolved = resolvedOf(['b', 'c'], {
    disabledReasons: [{ name: 'a', reason: 'global_disabled', detail }],
  });

  it('of a tool that is left out gives its reason and its sentence', () => {
    expect(setOf(resolved).refusal('a')).toBe(
      `a is not available here (global_disabled): ${detail} Nothing was executed.`,
    );
  });

  it('of an unknown name says which there are', () => {
    expect(setOf(resolved).refusal('ghost')).toBe(
      'There is no tool "ghost" here. Nothing was executed. Available are: b, c.',
    );
  });

  it('of an unknown name where there are none says so', () => {
    expect(setOf(resolvedOf([])).refusal('ghost')).toContain('There are no tools.');
  });
});
