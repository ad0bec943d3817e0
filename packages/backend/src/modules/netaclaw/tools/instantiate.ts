import type { DisabledTool } from '@netaclaw/contracts';
import type { z } from 'zod';
import type { AgentTool, OfferedTool, ParsedArguments } from '../runtime/port.js';
import type { ResolvedTools } from '../runtime/tools/resolve_tools.js';
import type { ToolSet } from '../runtime/tool_set.js';
import type { GovernedTool } from '../runtime/tools/governed_tool.js';
import type { CatalogEntry } from './catalog.js';
import type { RunFacilities } from './source.js';

/** Finds the declaration of a tool. */
export interface Declarations {
  of(tool: GovernedTool): CatalogEntry | undefined;
}

/**
 * Tools that can be executed, from the names the resolver let through. The only place that builds
 * instances; each is built when it is first called.
 */
export function instantiateTools(
  resolved: ResolvedTools,
  declarations: Declarations,
  facilities: RunFacilities,
): ToolSet {
  return new ResolvedToolSet(resolved, declarations, facilities);
}

class ResolvedToolSet implements ToolSet {
  readonly offered: readonly OfferedTool[];
  private readonly tools: ReadonlyMap<string, GovernedTool>;
  private readonly built = new Map<string, AgentTool>();

  constructor(
    private readonly resolved: ResolvedTools,
    private readonly declarations: Declarations,
    private readonly facilities: RunFacilities,
  ) {
    this.offered = resolved.tools.map(({ offered }) => offered);
    this.tools = new Map(resolved.tools.map((tool) => [tool.name, tool]));
  }

  get(name: string): AgentTool | undefined {
    const governed = this.tools.get(name);
    if (!governed) return undefined;
    const known = this.built.get(name);
    if (known) return known;
    const entry = this.declarations.of(governed);
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
    maxResultBytes: definition.maxResultBytes ?? null,
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
