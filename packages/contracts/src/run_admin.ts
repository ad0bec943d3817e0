import { z } from 'zod';
import { runSchema, sessionMessageSchema, sessionSchema } from './chat.js';
import { promptLayerSchema } from './agent.js';
import { runEventSchema, runStatusSchema } from './event.js';
import {
  keyParamSchema,
  keysBodySchema,
  deletedSchema,
  pageBodyOf,
  pageOf,
  statusSchema,
  timeSchema,
} from './http.js';
import { editors, everyone } from './role.js';
import { defineRoutes } from './route.js';
import { agentSkillsSchema } from './skill.js';
import { modelCapabilitySchema } from './tool.js';

/** How a run was asked for. */
export const runSourceSchema = z.enum([
  'rest',
  'sse',
  'websocket',
  'openai',
  'crew',
  'task',
  'schedule',
]);
export type RunSource = z.infer<typeof runSourceSchema>;

export const runListItemSchema = z
  .object({
    runId: z.string(),
    sessionId: z.string(),
    parentRunId: z.string().nullable(),
    agent: z.string(),
    crew: z.string().nullable(),
    owner: z.string(),
    source: runSourceSchema,
    status: runStatusSchema,
    error: z.string().nullable(),
    model: z.string(),
    totalTokens: z.int(),
    toolCallCount: z.int(),
    startedAt: timeSchema,
    endedAt: timeSchema.nullable(),
  })
  .meta({ id: 'RunListItem' });
export type RunListItem = z.infer<typeof runListItemSchema>;

/** A run with the tools and the prompt of its moment, and all it emitted. */
export const runDetailSchema = runSchema
  .extend({
    owner: z.string(),
    source: runSourceSchema,
    parentRunId: z.string().nullable(),
    /** The runs that it delegated to, oldest first. */
    childRuns: z.array(runListItemSchema),
    layers: z.array(promptLayerSchema),
    warnings: z.array(z.string()),
    modelCapability: modelCapabilitySchema,
    skills: agentSkillsSchema,
    events: z.array(runEventSchema),
  })
  .meta({ id: 'RunDetail' });
export type RunDetail = z.infer<typeof runDetailSchema>;

export const runPageBodySchema = pageBodyOf(['id', 'startedAt', 'status', 'agent', 'owner'], {
  status: runStatusSchema.optional(),
  agent: z.string().max(64).optional(),
  owner: z.string().max(200).optional(),
  source: runSourceSchema.optional(),
  sessionId: z.uuid().optional(),
  crew: z.string().max(64).optional(),
  /** The runs that this one delegated to. */
  parentRunId: z.uuid().optional(),
  /** 1: without the runs of members, which stand below their master's. */
  roots: statusSchema.optional(),
  from: timeSchema.optional(),
  to: timeSchema.optional(),
});
export type RunPageBody = z.infer<typeof runPageBodySchema>;

export const sessionPageBodySchema = pageBodyOf(
  ['id', 'updateTime', 'createTime', 'agent', 'owner'],
  {
    agent: z.string().max(64).optional(),
    owner: z.string().max(200).optional(),
  },
);
export type SessionPageBody = z.infer<typeof sessionPageBodySchema>;

export const sessionListItemSchema = sessionSchema
  .extend({ owner: z.string() })
  .meta({ id: 'SessionListItem' });
export type SessionListItem = z.infer<typeof sessionListItemSchema>;

export const sessionMessagesBodySchema = pageBodyOf(['id'], { id: z.uuid() });
export type SessionMessagesBody = z.infer<typeof sessionMessagesBodySchema>;

export const runAdminRoutes = defineRoutes({
  page: {
    method: 'post',
    path: '/admin/netaclaw/run/page',
    summary: 'Runs of everyone, page by page',
    access: { roles: everyone },
    reads: true,
    body: runPageBodySchema,
    answer: pageOf(runListItemSchema),
  },
  info: {
    method: 'get',
    path: '/admin/netaclaw/run/info',
    summary: 'One run with its tools, prompt and events',
    access: { roles: everyone },
    reads: true,
    query: keyParamSchema,
    answer: runDetailSchema,
  },
  cancel: {
    method: 'post',
    path: '/admin/netaclaw/run/cancel',
    summary: "Stop anyone's run",
    access: { roles: editors },
    body: keyParamSchema,
    answer: runSchema,
  },
});

export const sessionAdminRoutes = defineRoutes({
  page: {
    method: 'post',
    path: '/admin/netaclaw/session/page',
    summary: 'Sessions of everyone, page by page',
    access: { roles: everyone },
    reads: true,
    body: sessionPageBodySchema,
    answer: pageOf(sessionListItemSchema),
  },
  messages: {
    method: 'post',
    path: '/admin/netaclaw/session/messages',
    summary: 'The messages of a session, oldest first',
    access: { roles: everyone },
    reads: true,
    body: sessionMessagesBodySchema,
    answer: pageOf(sessionMessageSchema),
  },
  delete: {
    method: 'post',
    path: '/admin/netaclaw/session/delete',
    summary: 'Delete sessions with their runs',
    access: { roles: editors },
    body: keysBodySchema,
    answer: deletedSchema,
  },
});
