import { readdir } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { facilitiesWith } from '../../../../test/tool_call.js';
import { resolveTools } from '../runtime/tools/resolve_tools.js';
import { planSync } from '../service/tool/tool_sync.js';
import { loadBuiltinSource } from './builtin_source.js';
import { Catalog } from './catalog.js';
import { instantiateTools } from './instantiate.js';
import { buildSnapshot } from './registry_snapshot.js';
import { defineTool, type AnyToolDefinition, type ToolSource } from './source.js';

let source: ToolSource;
beforeAll(async () => {
  source = await loadBuiltinSource();
});

const namesOf = (definitions: readonly AnyToolDefinition[]) =>
  definitions.map(({ schema }) => schema.name);

describe('the built-in source', () => {
  it('declares one tool for each file of its folder, named after the file', async () => {
    const files = await readdir(new URL('./builtin/', import.meta.url));
    const tools = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
    expect(namesOf(source.declare())).toEqual(
      tools.map((file) => file.replace(/\.ts$/, '')).toSorted(),
    );
  });

  it('declares what the design names', () => {
    expect(namesOf(source.declare())).toEqual([
      'annotate_execution',
      'bash',
      'browser_batch_exec',
      'browser_exec',
      'clarify',
      'create_skill_candidate',
      'create_skill_payload',
      'download_file',
      'evaluate_skill_candidate',
      'get_execution_history',
      'get_skill_payload',
      'list_dir',
      'list_skill_candidates',
      'list_skill_releases',
      'memory_forget',
      'memory_save',
      'memory_search',
      'patch',
      'promote_skill_candidate',
      'python',
      'read_file',
      'rollback_skill_release',
      'run_browser_skill',
      'search_files',
      'skill_list',
      'skill_view',
      'sync_skill_release',
      'todo',
      'upload_file',
      'vision_ocr',
      'write_file',
    ]);
  });

  it('declares nothing that the catalog refuses', () => {
    const catalog = new Catalog([source]);
    expect(catalog.refused).toEqual([]);
    expect(catalog.all()).toHaveLength(source.declare().length);
  });

  it('has every schema in a form that a model can be told', () => {
    const wrong = new Catalog([source])
      .all()
      .filter(({ parameters }) => parameters.type !== 'object' || parameters.additionalProperties);
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  it('describes every tool in sentences', () => {
    const wrong = source.declare().filter(({ schema }) => !/^[A-Z].+\.$/s.test(schema.description));
    expect(namesOf(wrong)).toEqual([]);
  });

  it('needs a computer for base and what a sandbox brings, the files of any for vision, memory for memory, skills for skills and nothing for planning', () => {
    const needs = source.declare().map(({ schema }) => [schema.toolset, schema.scene ?? null]);
    expect(new Set(needs.map((pair) => pair.join(' ')))).toEqual(
      new Set([
        'base computer',
        'planning ',
        'memory memory',
        'skills skills',
        'vision computer_files',
        'sandbox computer',
        'browser computer',
        'skill_lifecycle computer',
      ]),
    );
  });

  it('is always up as declared', () => {
    expect(source.offer({ sessionId: null })).toBeNull();
    expect(source.unavailable()).toEqual(new Map());
  });
});

describe('one file adds a tool', () => {
  const added = defineTool({
    schema: {
      name: 'document_text',
      toolset: 'document',
      description: 'Reads the text of a scan.',
      parameters: z.strictObject({ image: z.string().describe('Which image.') }),
      capability: 'vision',
      promptHint: 'Ask for one page at a time.',
    },
    create: () => async (input) => ({ status: 'ok', content: `text of ${input.image}` }),
  });

  it('to the table, the resolver, the model and the execution', async () => {
    const withFile = { ...source, declare: () => [...source.declare(), added] };
    const catalog = new Catalog([withFile]);

    const { inserts } = planSync(catalog.all(), []);
    expect(inserts.map(({ name }) => name)).toContain('document_text');

    const rows = inserts.map(({ name, toolset, source: from }) => ({
      name,
      label: name,
      toolset,
      source: from,
      description: null,
      status: 1 as const,
      sort: 0,
      promptHint: null,
    }));
    const resolved = resolveTools({
      toolsets: ['document', 'planning'],
      agentDisabled: [],
      capability: { value: 'vision', origin: 'channel' },
      memory: false,
      skills: false,
      crewMaster: false,
      crewTools: [],
      computer: null,
      callerRole: 'client',
      callerDenied: [],
      unavailable: new Map(),
      fit: null,
      registry: buildSnapshot(catalog, rows, '1'),
    });
    expect(resolved.toolNames).toEqual(['clarify', 'document_text', 'todo']);
    expect(resolved.toolPromptHints).toContainEqual({
      name: 'document_text',
      hint: 'Ask for one page at a time.',
    });

    const facilities = facilitiesWith(() => Promise.reject(new Error('no computer')));
    const tools = instantiateTools(resolved, { of: ({ name }) => catalog.get(name) }, facilities);
    expect(tools.offered.at(1)).toMatchObject({
      name: 'document_text',
      description: 'Reads the text of a scan.',
      parameters: { type: 'object', required: ['image'] },
    });
    const context = { callId: 'a', signal: new AbortController().signal, timeoutMs: 1000 };
    expect(await tools.get('document_text')?.execute({ image: 'p1' }, context)).toEqual({
      status: 'ok',
      content: 'text of p1',
    });
  });
});
