import { z } from 'zod';
import { delegateToolName } from '../runtime/crew/delegate_name.js';
import type { GovernedTool } from '../runtime/tools/governed_tool.js';
import { Catalog } from './catalog.js';
import { failed } from './common.js';
import { buildSnapshot } from './registry_snapshot.js';
import { defineTool, type ToolSource } from './source.js';

/** The source of the tools that delegate. */
export const CREW_SOURCE = 'crew';
/** A member has what its master's run has left: that limit is the smaller one. */
const DELEGATE_TIMEOUT_MS = 86_400_000;
/** Many members answer one master, so each may say less than a tool may. */
const MAX_REPORT_BYTES = 16 * 1024;

const parameters = z.strictObject({
  task: z
    .string()
    .trim()
    .min(1)
    .max(100_000)
    .describe('What to do, complete in itself: the member sees nothing of this conversation.'),
  context: z
    .string()
    .trim()
    .min(1)
    .max(200_000)
    .optional()
    .describe('What the member needs to know to do it: findings, texts, decisions.'),
  expected_output: z
    .string()
    .trim()
    .min(1)
    .max(20_000)
    .optional()
    .describe('What the answer should be, and in which form.'),
});

/** A member as its master's tools need it. */
export interface DelegateMember {
  name: string;
  /** What it is good for; empty when nobody said. */
  description: string;
  /** Why it cannot be given work now, or null. */
  problem: string | null;
}

/** The tools of a crew's master. Members are data, so these are made from rows and have none in `netaclaw_tool`. */
export interface CrewTools {
  catalog: Catalog;
  /** In the order of the prompt; a name that no provider takes is left out. */
  tools: readonly GovernedTool[];
  /** Why a member cannot be given work now, by its tool's name. */
  unavailable: ReadonlyMap<string, string>;
}

export function crewToolsOf(members: readonly DelegateMember[]): CrewTools {
  const source = crewSource(members);
  const catalog = new Catalog([source]);
  const rows = catalog.all().map(({ name }) => ({
    name,
    label: null,
    toolset: 'crew',
    source: CREW_SOURCE,
    description: null,
    status: 1 as const,
    sort: 0,
    promptHint: null,
  }));
  const tools = buildSnapshot(catalog, rows, '').inToolset('crew');
  return { catalog, tools, unavailable: source.unavailable() };
}

/** A crew as a source of tools: `delegate_<member>` for each member. */
function crewSource(members: readonly DelegateMember[]): ToolSource {
  const unavailable = new Map(
    members.flatMap(({ name, problem }) =>
      problem === null ? [] : [[delegateToolName(name), problem]],
    ),
  );
  return {
    name: CREW_SOURCE,
    declare: () => members.map(delegateTool),
    offer: () => null,
    unavailable: () => unavailable,
  };
}

const delegateTool = ({ name, description }: DelegateMember) =>
  defineTool({
    schema: {
      name: delegateToolName(name),
      toolset: 'crew',
      description: `Delegates a task to ${name}, a member of your crew, and answers with its result.${description === '' ? '' : ` ${description}`}`,
      parameters,
      scene: 'crew_master',
    },
    timeoutMs: DELEGATE_TIMEOUT_MS,
    maxResultBytes: MAX_REPORT_BYTES,
    create: ({ delegate }) => {
      if (!delegate) return async () => failed('This run leads no crew; nothing was delegated.');
      return ({ task, context, expected_output: expectedOutput }, call) =>
        delegate(
          {
            member: name,
            task,
            context: context ?? null,
            expectedOutput: expectedOutput ?? null,
          },
          call,
        );
    },
  });
