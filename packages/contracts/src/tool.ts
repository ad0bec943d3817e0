import { z } from 'zod';
import {
  emptyBodySchema,
  idQuerySchema,
  pageBodyOf,
  pageOf,
  statusSchema,
  timeSchema,
} from './http.js';
import { editors, everyone } from './role.js';
import { defineRoutes } from './route.js';
import { booterKindSchema, runtimeSchema } from './sandbox.js';

/** A name every provider accepts for a function. */
export const TOOL_NAME_PATTERN = /^[a-z][a-z0-9_]{0,63}$/;
export const toolNameSchema = z.string().regex(TOOL_NAME_PATTERN);

/**
 * Who sees a tool. `tool`: ordinary. `internal`: the runtime's own aid, read-only in the console.
 * `skill`: only where skills are in play.
 */
export const visibilitySchema = z.enum(['tool', 'internal', 'skill']);
export type Visibility = z.infer<typeof visibilitySchema>;

/** What a model takes in, and what a tool therefore asks of it. */
export const capabilitySchema = z.enum(['text', 'vision', 'multimodal']);
export type Capability = z.infer<typeof capabilitySchema>;

/** Where a model's capability was read from, in order of precedence. */
export const capabilityOriginSchema = z.enum(['agent', 'channel', 'fallback']);
export type CapabilityOrigin = z.infer<typeof capabilityOriginSchema>;

export const modelCapabilitySchema = z.object({
  value: capabilitySchema,
  origin: capabilityOriginSchema,
});
export type ModelCapability = z.infer<typeof modelCapabilitySchema>;

/** Every toolset there is, reserved ones included, in the order of the console. */
export const toolsetNameSchema = z.enum([
  'base',
  'planning',
  'memory',
  'skills',
  'crew',
  'sandbox',
  'browser',
  'skill_lifecycle',
  'vision',
  'document',
]);
export type ToolsetName = z.infer<typeof toolsetNameSchema>;

/** Why a tool is not there. The order is the order of the checks: the first that fails is the reason. */
export const disabledReasonSchema = z
  .enum([
    'not_in_catalog',
    'global_disabled',
    'agent_disabled',
    'capability_mismatch',
    'memory_off',
    'no_skills',
    'not_crew_master',
    'no_computer',
    'sandbox_capability_missing',
    'admin_only',
    'caller_removed',
    'source_unavailable',
    'schema_rejected',
    'name_conflict',
  ])
  .meta({ id: 'DisabledReason' });
export type DisabledReason = z.infer<typeof disabledReasonSchema>;

/** One tool that is left out: the reason and one sentence an operator understands. */
export const disabledToolSchema = z
  .object({ name: z.string(), reason: disabledReasonSchema, detail: z.string() })
  .meta({ id: 'DisabledTool' });
export type DisabledTool = z.infer<typeof disabledToolSchema>;

/** The resolver's verdict on one tool. */
export type ToolDecision = { name: string; enabled: true } | ({ enabled: false } & DisabledTool);

export const catalogStateSchema = z.enum(['present', 'missing']);
export type CatalogState = z.infer<typeof catalogStateSchema>;

/** An operator's own notes on a tool; none of it reaches a model. */
export const toolExtraSchema = z
  .strictObject({
    note: z.string().max(2000).optional(),
    owner: z.string().max(200).optional(),
    link: z
      .url({ protocol: /^https?$/ })
      .max(2000)
      .optional(),
    tags: z.array(z.string().min(1).max(50)).max(20).optional(),
  })
  .meta({ id: 'ToolExtra', description: 'Notes for operators: note, owner, link, tags.' });
export type ToolExtra = z.infer<typeof toolExtraSchema>;

/** A row of `netaclaw_tool`. `description` null means the code's text is shown to the model. */
export const toolRowSchema = z
  .object({
    id: z.int(),
    name: z.string(),
    label: z.string().nullable(),
    toolset: z.string(),
    description: z.string().nullable(),
    visibility: visibilitySchema,
    capability: capabilitySchema,
    status: statusSchema,
    isCore: statusSchema,
    canDisable: statusSchema,
    promptHint: z.string().nullable(),
    sort: z.int(),
    extra: toolExtraSchema.nullable(),
    source: z.string(),
    catalogState: catalogStateSchema,
    version: z.int(),
    createTime: timeSchema,
    updateTime: timeSchema,
  })
  .meta({ id: 'ToolRow' });
export type ToolRow = z.infer<typeof toolRowSchema>;

/** What the code declares about a tool, beside the operator's row. Null when the code no longer declares it. */
export const toolDeclarationSchema = z
  .object({
    description: z.string(),
    parameters: z.record(z.string(), z.unknown()),
    supportsPromptHint: z.boolean(),
    defaultPromptHint: z.string().nullable(),
    adminOnly: z.boolean(),
    scene: z.string().nullable(),
  })
  .meta({ id: 'ToolDeclaration' });
export type ToolDeclaration = z.infer<typeof toolDeclarationSchema>;

export const toolInfoSchema = toolRowSchema
  .extend({
    declaration: toolDeclarationSchema.nullable(),
    /** The first agents that have this tool, by their toolsets or their computer, and do not disable it. */
    usedBy: z.array(z.object({ id: z.int(), name: z.string(), label: z.string() })),
    /** How many there are in all. */
    usedByCount: z.int(),
  })
  .meta({ id: 'ToolInfo' });
export type ToolInfo = z.infer<typeof toolInfoSchema>;

export const toolPageBodySchema = pageBodyOf(
  [
    'id',
    'name',
    'label',
    'toolset',
    'visibility',
    'capability',
    'status',
    'sort',
    'source',
    'updateTime',
  ],
  {
    toolset: toolsetNameSchema.optional(),
    capability: capabilitySchema.optional(),
    visibility: visibilitySchema.optional(),
    status: statusSchema.optional(),
    isCore: statusSchema.optional(),
    source: z.string().max(50).optional(),
    catalogState: catalogStateSchema.optional(),
  },
);
export type ToolPageBody = z.infer<typeof toolPageBodySchema>;

/** Operator fields only; a field of the code's is refused by name. */
export const toolUpdateBodySchema = z
  .strictObject({
    id: z.int().min(1),
    version: z.int().min(1),
    label: z.string().trim().min(1).max(200).nullable().optional(),
    description: z.string().trim().min(1).max(8000).nullable().optional(),
    status: statusSchema.optional(),
    promptHint: z.string().trim().min(1).max(8000).nullable().optional(),
    sort: z.int().min(-1_000_000).max(1_000_000).optional(),
    extra: toolExtraSchema.nullable().optional(),
  })
  .meta({ id: 'ToolUpdate' });
export type ToolUpdateBody = z.infer<typeof toolUpdateBodySchema>;

export const toolChoiceSchema = z
  .object({
    name: z.string(),
    label: z.string(),
    description: z.string(),
    capability: capabilitySchema,
    visibility: visibilitySchema,
    isCore: z.boolean(),
    canDisable: z.boolean(),
    status: statusSchema,
    source: z.string(),
  })
  .meta({ id: 'ToolChoice' });
export type ToolChoice = z.infer<typeof toolChoiceSchema>;

/**
 * What to choose from. Left out, every tool of every toolset; there may be thousands, so an editor asks
 * for a page: `page` and `size` count over the toolsets in their order.
 */
export const toolsForAgentBodySchema = z
  .strictObject({
    toolsets: z.array(toolsetNameSchema).max(50).optional(),
    /** Besides the toolsets: the tools that such a computer brings along for an agent that chose no toolsets. */
    computer: z
      .strictObject({ runtime: runtimeSchema, driver: booterKindSchema.optional() })
      .optional(),
    /** Only these tools. */
    names: z.array(z.string().max(100)).max(1000).optional(),
    /** All but these. */
    except: z.array(z.string().max(100)).max(1000).optional(),
    /** A part of name, label or description, in any case. */
    keyWord: z.string().max(200).optional(),
    page: z.int().min(1).default(1),
    /** Tools of a page; 0: the toolsets and their totals alone. Left out: all. */
    size: z.int().min(0).max(200).optional(),
  })
  .meta({ id: 'ToolsForAgentQuery' });
export type ToolsForAgentBody = z.infer<typeof toolsForAgentBodySchema>;

export const toolsForAgentSchema = z
  .object({
    toolsets: z.array(
      z.object({
        name: toolsetNameSchema,
        label: z.string(),
        /** Tools that match, on whatever page. */
        total: z.int(),
        tools: z.array(toolChoiceSchema),
      }),
    ),
    defaults: z.array(toolsetNameSchema),
  })
  .meta({ id: 'ToolsForAgent' });
export type ToolsForAgent = z.infer<typeof toolsForAgentSchema>;

/** What a sync of the catalog into the table did. `refused` names declarations that were left out. */
export const syncResultSchema = z
  .object({
    inserted: z.int(),
    updated: z.int(),
    missing: z.int(),
    unchanged: z.int(),
    refused: z.array(z.object({ name: z.string(), source: z.string(), problem: z.string() })),
  })
  .meta({ id: 'SyncResult' });
export type SyncResult = z.infer<typeof syncResultSchema>;

const base = '/admin/netaclaw/tool';
export const toolRoutes = defineRoutes({
  page: {
    method: 'post',
    path: `${base}/page`,
    summary: 'Tools, page by page',
    access: { roles: everyone },
    reads: true,
    body: toolPageBodySchema,
    answer: pageOf(toolRowSchema),
  },
  info: {
    method: 'get',
    path: `${base}/info`,
    summary: "One tool: the operator's row, the code's declaration and the agents that use it",
    access: { roles: everyone },
    reads: true,
    query: idQuerySchema,
    answer: toolInfoSchema,
  },
  update: {
    method: 'post',
    path: `${base}/update`,
    summary: "Change a tool's operator fields",
    access: { roles: editors },
    body: toolUpdateBodySchema,
    answer: toolRowSchema,
  },
  all: {
    method: 'post',
    path: `${base}/all`,
    summary: 'Every tool, sorted as in the prompt',
    access: { roles: everyone },
    reads: true,
    body: emptyBodySchema,
    answer: z.array(toolRowSchema),
  },
  sync: {
    method: 'post',
    path: `${base}/sync`,
    summary: 'Bring the catalog into the table',
    access: { roles: editors },
    body: emptyBodySchema,
    answer: syncResultSchema,
  },
  forAgent: {
    method: 'post',
    path: `${base}/forAgent`,
    summary: 'Toolsets and tools to choose from for an agent',
    access: { roles: everyone },
    reads: true,
    body: toolsForAgentBodySchema,
    answer: toolsForAgentSchema,
  },
});
