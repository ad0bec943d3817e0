import type { DisabledTool } from '@netaclaw/contracts';
import type { z } from 'zod';
import type { AgentTool, OfferedTool, ParsedArguments } from '../runtime/port.js';
import type { ResolvedTools } from '../runtime/tools/resolve_tools.js';
import type { ToolSet } from '../runtime/tool_set.js';
import type { Catalog, CatalogEntry } from './catalog.js';
import type { RunFacilities } from './source.js';

/**
 * Tools that can be executed, from the names the resolver let through. The only place that builds
 * instances; each is built when it is first called.
 */
export function instantiateTools(
  resolved: ResolvedTools,
  catalog: Catalog,
  facilities: RunFacilities,
): ToolSet {
  return new ResolvedToolSet(resolved, catalog, facilities);
}

class ResolvedToolSet implements ToolSet {
  readonly offered: readonly OfferedTool[];
  private readonly names: ReadonlySet<string>;
  private readonly built = new Map<string, AgentTool>();

  constructor(
    private readonly resolved: ResolvedTools,
    private readonly catalog: Catalog,
    private readonly facilities: RunFacilities,
  ) {
    this.offered = resolved.tools.map(({ offered }) => offered);
    this.names = new Set(resolved.toolNames);
  }

  get(name: string): AgentTool | undefined {
    if (!this.names.has(name)) return undefined;
    const known = this.built.get(name);
    if (known) return known;
    const entry = this.catalog.get(name);
    if (!entry) return undefined;
    const tool = buildTool(entry, this.facilities);
    this.built.set(name, tool);
    return tool;
  }

  refusal(name: string): string {
    const out = this.resolved.disabledReasons.find((disabled) => disabled.name === name);
    return out ? refusalOf(out) : unknownTool(name, this.resolved.toolNames);
  }
}

const refusalOf = ({ name, reason, detail }: DisabledTool): string =>
  `${name} is not available here (${reason}): ${detail} Nothing was executed.`;

function unknownTool(name: string, toolNames: readonly string[]): string {
  const available =
    toolNames.length > 0 ? `Available are: ${toolNames.join(', ')}.` : 'There are no tools.';
  return `There is no tool "${name}" here. Nothing was executed. ${available}`;
}

/** The instance is made at the first execution, so that one that cannot be made costs its call only. */
function buildTool({ name, definition }: CatalogEntry, facilities: RunFacilities): AgentTool {
  let instance: ReturnType<typeof definition.create> | null = null;
  const { parameters } = definition.schema;
  return {
    name,
    sequential: definition.sequential ?? false,
    timeoutMs: definition.timeoutMs ?? null,
    parse: (value) => parseArguments(parameters, value),
    execute: async (input, context) => {
      instance ??= definition.create(facilities);
      // `parse` has made it what this very definition's schema promises; the catalog forgot the type.
      return instance(input as never, context);
    },
  };
}

function parseArguments(parameters: z.ZodObject, value: unknown): ParsedArguments {
  const result = parameters.safeParse(value);
  if (result.success) return { ok: true, value: result.data };
  return { ok: false, problem: result.error.issues.map(describeIssue).join('; ') };
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const path = issue.path.length > 0 ? issue.path.join('.') : 'the arguments';
  return `${path}: ${issue.message}`;
}
