import {
  TOOL_NAME_PATTERN,
  toolsetNameSchema,
  type Capability,
  type ToolsetName,
  type Visibility,
} from '@netaclaw/contracts';
import { z } from 'zod';
import type { ToolScene } from '../runtime/tools/governed_tool.js';
import type { AnyToolDefinition, ToolSchema, ToolSource } from './source.js';

/** What an agent without a choice of its own gets. */
export const TOOLSET_DEFAULTS: readonly ToolsetName[] = ['base', 'planning', 'memory', 'skills'];

/** A declaration that was left out, and why; the rest works. */
export interface RefusedDeclaration {
  name: string;
  source: string;
  problem: string;
}

/** A declared tool with every default filled in. */
export interface CatalogEntry {
  readonly name: string;
  readonly source: string;
  readonly toolset: ToolsetName;
  readonly description: string;
  readonly visibility: Visibility;
  readonly capability: Capability;
  readonly isCore: boolean;
  readonly canDisable: boolean;
  readonly supportsPromptHint: boolean;
  readonly promptHint: string | null;
  readonly scene: ToolScene | null;
  readonly adminOnly: boolean;
  readonly definition: AnyToolDefinition;
  /** JSON Schema of the arguments; converted at the first reading, then kept. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** What the code declares: every tool of every source, once. Built at start; never changes. */
export class Catalog {
  private readonly entries = new Map<string, CatalogEntry>();
  private readonly toolsets = new Map<ToolsetName, string[]>();
  readonly refused: readonly RefusedDeclaration[];

  constructor(sources: readonly ToolSource[]) {
    const refused: RefusedDeclaration[] = [];
    for (const source of sources) {
      for (const definition of source.declare()) {
        const problem = this.problemOf(definition.schema);
        if (problem === null) this.add(definition, source.name);
        else refused.push({ name: String(definition.schema.name), source: source.name, problem });
      }
    }
    this.refused = refused;
  }

  getAllToolSchemas(): ToolSchema[] {
    return [...this.entries.values()].map(({ definition }) => definition.schema);
  }

  getToolSchema(name: string): ToolSchema | undefined {
    return this.entries.get(name)?.definition.schema;
  }

  getToolNamesByToolset(toolset: ToolsetName): readonly string[] {
    return this.toolsets.get(toolset) ?? [];
  }

  get(name: string): CatalogEntry | undefined {
    return this.entries.get(name);
  }

  all(): readonly CatalogEntry[] {
    return [...this.entries.values()];
  }

  private problemOf(schema: ToolSchema): string | null {
    if (!TOOL_NAME_PATTERN.test(schema.name)) {
      return `the name must match ${TOOL_NAME_PATTERN.source}`;
    }
    const taken = this.entries.get(schema.name);
    if (taken) return `the name is already declared by the source ${taken.source}`;
    if (!(schema.parameters instanceof z.ZodObject)) return 'its parameters are no zod object';
    const isToolset = toolsetNameSchema.safeParse(schema.toolset).success;
    return isToolset ? null : `there is no toolset "${schema.toolset}"`;
  }

  private add(definition: AnyToolDefinition, source: string): void {
    const entry = new DeclaredTool(definition, source);
    this.entries.set(entry.name, entry);
    const names = this.toolsets.get(entry.toolset) ?? [];
    names.push(entry.name);
    this.toolsets.set(entry.toolset, names);
  }
}

class DeclaredTool implements CatalogEntry {
  readonly name: string;
  readonly toolset: ToolsetName;
  readonly description: string;
  readonly visibility: Visibility;
  readonly capability: Capability;
  readonly isCore: boolean;
  readonly canDisable: boolean;
  readonly supportsPromptHint: boolean;
  readonly promptHint: string | null;
  readonly scene: ToolScene | null;
  readonly adminOnly: boolean;
  private converted: Readonly<Record<string, unknown>> | null = null;

  constructor(
    readonly definition: AnyToolDefinition,
    readonly source: string,
  ) {
    const { schema } = definition;
    this.name = schema.name;
    this.toolset = schema.toolset;
    this.description = schema.description;
    this.visibility = schema.visibility ?? 'tool';
    this.capability = schema.capability ?? 'text';
    this.isCore = schema.isCore ?? false;
    this.canDisable = schema.canDisable ?? !this.isCore;
    this.promptHint = schema.promptHint ?? null;
    this.supportsPromptHint = schema.supportsPromptHint ?? this.promptHint !== null;
    this.scene = schema.scene ?? null;
    this.adminOnly = schema.adminOnly ?? false;
  }

  get parameters(): Readonly<Record<string, unknown>> {
    this.converted ??= toJsonSchema(this.definition.schema.parameters);
    return this.converted;
  }
}

function toJsonSchema(parameters: z.ZodObject): Readonly<Record<string, unknown>> {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(parameters, {
    io: 'input',
    unrepresentable: 'any',
  });
  return Object.freeze(schema);
}
