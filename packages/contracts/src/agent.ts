import { z } from 'zod';
import {
  deletedSchema,
  emptyBodySchema,
  idQuerySchema,
  idsBodySchema,
  pageBodyOf,
  pageOf,
  slugSchema,
  statusSchema,
  timeSchema,
} from './http.js';
import { crewRoleSchema } from './crew.js';
import { editors, everyone } from './role.js';
import { defineRoutes } from './route.js';
import { booterKindSchema, runtimeSchema } from './sandbox.js';
import { agentSkillsSchema } from './skill.js';
import {
  capabilitySchema,
  disabledToolSchema,
  modelCapabilitySchema,
  toolNameSchema,
} from './tool.js';

/** Limits of an agent's runs; what is left out takes the server's default. */
export const limitsSchema = z
  .strictObject({
    /** Tool rounds in one run before it must answer. Default 30. */
    maxToolIterations: z.int().min(1).max(200).optional(),
    /** Messages of history a model is shown. Default 200. */
    maxContextMessages: z.int().min(2).max(5000).optional(),
    /** Milliseconds a run may take. Default 10 minutes. */
    runTimeoutMs: z.int().min(1000).max(86_400_000).optional(),
    /** Older turns become notes by the agent's own model before they are cut off. Default false. */
    summarizeHistory: z.boolean().optional(),
    /** Sandboxes of a service that this agent's sessions may have at the same time. Default 20. */
    maxSandboxes: z.int().min(1).max(1000).optional(),
  })
  .meta({ id: 'AgentLimits' });
export type AgentLimits = z.infer<typeof limitsSchema>;

/** Toolsets are checked against the catalog on save, so that the refusal can name the unknown ones. */
const toolsetsSchema = z.array(z.string().min(1).max(50)).max(50).nullable();

const agentFields = {
  name: slugSchema,
  label: z.string().trim().max(200),
  description: z.string().max(4000),
  systemPrompt: z.string().max(200_000),
  channelId: z.int().min(1).nullable(),
  /** What the agent's model takes in, when the operator knows better than the channel. */
  capability: capabilitySchema.nullable(),
  /** Null: the default toolsets. Empty: no tools. */
  toolsets: toolsetsSchema,
  tools: z.strictObject({ disabled: z.array(toolNameSchema).max(1000).optional() }),
  skills: z.array(slugSchema).max(200),
  /** Those of its skills whose text is a message of every turn; the others a model asks for. */
  pinnedSkills: z.array(slugSchema).max(20),
  memory: z.strictObject({ enabled: z.boolean() }),
  runtime: runtimeSchema,
  sandbox: z
    .strictObject({ driver: booterKindSchema, profile: z.string().min(1).max(200).optional() })
    .nullable(),
  limits: limitsSchema,
  status: statusSchema,
};

export const agentSchema = z
  .object({
    id: z.int(),
    ...agentFields,
    version: z.int(),
    createTime: timeSchema,
    updateTime: timeSchema,
  })
  .meta({ id: 'Agent' });
export type Agent = z.infer<typeof agentSchema>;
/** What of an agent decides its tools and prompt. */
export type AgentConfig = Pick<Agent, keyof typeof agentFields>;

export const agentAddBodySchema = z
  .strictObject({
    ...agentFields,
    label: agentFields.label.default(''),
    description: agentFields.description.default(''),
    systemPrompt: agentFields.systemPrompt.default(''),
    channelId: agentFields.channelId.default(null),
    capability: agentFields.capability.default(null),
    toolsets: agentFields.toolsets.default(null),
    tools: agentFields.tools.default({}),
    skills: agentFields.skills.default([]),
    pinnedSkills: agentFields.pinnedSkills.default([]),
    memory: agentFields.memory.default({ enabled: false }),
    runtime: agentFields.runtime.default('none'),
    sandbox: agentFields.sandbox.default(null),
    limits: agentFields.limits.default({}),
    status: agentFields.status.default(1),
  })
  .meta({ id: 'AgentAdd' });
export type AgentAddBody = z.infer<typeof agentAddBodySchema>;

export const agentUpdateBodySchema = z
  .strictObject({
    id: z.int().min(1),
    version: z.int().min(1),
    ...z.strictObject(agentFields).partial().shape,
  })
  .meta({ id: 'AgentUpdate' });
export type AgentUpdateBody = z.infer<typeof agentUpdateBodySchema>;

/** An agent as far as an editor has filled it in. */
export const agentDraftSchema = z.strictObject(agentFields).partial().meta({ id: 'AgentDraft' });
export type AgentDraft = z.infer<typeof agentDraftSchema>;

export const agentPageBodySchema = pageBodyOf(
  ['id', 'name', 'label', 'status', 'runtime', 'createTime', 'updateTime'],
  {
    status: statusSchema.optional(),
    runtime: runtimeSchema.optional(),
    channelId: z.int().min(1).optional(),
  },
);
export type AgentPageBody = z.infer<typeof agentPageBodySchema>;

export const agentListItemSchema = z
  .object({ id: z.int(), name: z.string(), label: z.string(), status: statusSchema })
  .meta({ id: 'AgentListItem' });
export type AgentListItem = z.infer<typeof agentListItemSchema>;

/** The layers of the system prompt, in their order. */
export const layerKeySchema = z.enum([
  'identity',
  'profile',
  'context',
  'tools',
  'memory',
  'guidance',
  'runtime',
]);
export type LayerKey = z.infer<typeof layerKeySchema>;

/** Where a layer's text comes from. */
export const layerOriginSchema = z.enum([
  'platform',
  'agent',
  'session',
  'tools',
  'memory',
  'clock',
]);
export type LayerOrigin = z.infer<typeof layerOriginSchema>;

export const promptLayerSchema = z
  .object({
    key: layerKeySchema,
    title: z.string(),
    origin: layerOriginSchema,
    content: z.string(),
    /** An estimate; see `docs/architecture.md`. */
    tokens: z.int(),
  })
  .meta({ id: 'PromptLayer' });
export type PromptLayer = z.infer<typeof promptLayerSchema>;

/** A preview of an agent that is stored (`id`), not yet stored (`draft`), or stored and edited (both). */
export const previewBodySchema = z
  .strictObject({
    id: z.int().min(1).optional(),
    draft: agentDraftSchema.optional(),
    /** The crew it works in; without a role, as what the crew has it. */
    crewId: z.int().min(1).optional(),
    crewRole: crewRoleSchema.optional(),
  })
  .refine((body) => body.id !== undefined || body.draft !== undefined, {
    message: 'give the id of an agent, a draft, or both',
  })
  .refine((body) => body.crewRole === undefined || body.crewId !== undefined, {
    path: ['crewId'],
    message: 'a role is one in a crew: give its id',
  })
  .meta({ id: 'PreviewPrompt' });
export type PreviewBody = z.infer<typeof previewBodySchema>;

export const previewSchema = z
  .object({
    layers: z.array(promptLayerSchema),
    prompt: z.string(),
    toolNames: z.array(z.string()),
    builtinToolNames: z.array(z.string()),
    disabledReasons: z.array(disabledToolSchema),
    warnings: z.array(z.string()),
    modelCapability: modelCapabilitySchema,
    /** Which of the agent's skills it gets, and why not the others. */
    skills: agentSkillsSchema,
    /** What stands between the system prompt and the conversation: the texts of the activated skills. */
    skillMessages: z.array(z.object({ name: z.string(), content: z.string(), tokens: z.int() })),
  })
  .meta({ id: 'PromptPreview' });
export type PromptPreview = z.infer<typeof previewSchema>;

const base = '/admin/netaclaw/agent';
export const agentRoutes = defineRoutes({
  page: {
    method: 'post',
    path: `${base}/page`,
    summary: 'Agents, page by page',
    access: { roles: everyone },
    reads: true,
    body: agentPageBodySchema,
    answer: pageOf(agentSchema),
  },
  list: {
    method: 'post',
    path: `${base}/list`,
    summary: 'The names of all agents, to choose from',
    access: { roles: everyone },
    reads: true,
    body: emptyBodySchema,
    answer: z.array(agentListItemSchema),
  },
  info: {
    method: 'get',
    path: `${base}/info`,
    summary: 'One agent',
    access: { roles: everyone },
    reads: true,
    query: idQuerySchema,
    answer: agentSchema,
  },
  add: {
    method: 'post',
    path: `${base}/add`,
    summary: 'Add an agent',
    access: { roles: editors },
    body: agentAddBodySchema,
    answer: agentSchema,
  },
  update: {
    method: 'post',
    path: `${base}/update`,
    summary: 'Change an agent',
    access: { roles: editors },
    body: agentUpdateBodySchema,
    answer: agentSchema,
  },
  delete: {
    method: 'post',
    path: `${base}/delete`,
    summary: 'Delete agents',
    access: { roles: editors },
    body: idsBodySchema,
    answer: deletedSchema,
  },
  previewPrompt: {
    method: 'post',
    path: `${base}/previewPrompt`,
    summary: 'The prompt and tools a run would get, and why a tool is missing',
    access: { roles: everyone },
    reads: true,
    body: previewBodySchema,
    answer: previewSchema,
  },
});
