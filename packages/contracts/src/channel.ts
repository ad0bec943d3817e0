import { z } from 'zod';
import {
  deletedSchema,
  emptyBodySchema,
  idBodySchema,
  idQuerySchema,
  idsBodySchema,
  pageBodyOf,
  pageOf,
  statusSchema,
  timeSchema,
} from './http.js';
import { editors, everyone } from './role.js';
import { defineRoutes } from './route.js';
import { capabilitySchema } from './tool.js';

/** How a model is spoken to. `rehearsal` is built in: offline, deterministic, no model at all. */
export const protocolSchema = z
  .enum(['openai_chat', 'openai_responses', 'anthropic_messages', 'rehearsal'])
  .meta({ id: 'Protocol' });
export type Protocol = z.infer<typeof protocolSchema>;

/** Parameters that go into every request to the model, as far as its protocol and the model know them. */
export const channelParamsSchema = z
  .strictObject({
    temperature: z.number().min(0).max(2).optional(),
    topP: z.number().min(0).max(1).optional(),
    frequencyPenalty: z.number().min(-2).max(2).optional(),
    presencePenalty: z.number().min(-2).max(2).optional(),
    seed: z.int().optional(),
    reasoningEffort: z.enum(['minimal', 'low', 'medium', 'high']).optional(),
  })
  .meta({ id: 'ChannelParams' });
export type ChannelParams = z.infer<typeof channelParamsSchema>;

/** Header names a channel may not set: they belong to the transport or to the channel's key. */
const reservedHeaders = new Set([
  'host',
  'content-length',
  'connection',
  'transfer-encoding',
  'authorization',
]);
const headersSchema = z
  .record(
    z
      .string()
      .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, 'not a header name')
      .refine((name) => !reservedHeaders.has(name.toLowerCase()), 'this header is set by NetaClaw'),
    // eslint-disable-next-line no-control-regex
    z
      .string()
      .max(2000)
      .regex(/^[\t\x20-\x7e]*$/, 'a header value holds printable ASCII only'),
  )
  .refine((headers) => Object.keys(headers).length <= 30, 'at most 30 headers');

const channelFields = {
  name: z.string().trim().min(1).max(100),
  protocol: protocolSchema,
  /**
   * Ends in `/v1` for the OpenAI protocols; a bare host (`https://api.anthropic.com`) for
   * `anthropic_messages`, which adds `/v1/messages`. Null for the rehearsal.
   */
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .max(2000)
    .nullable(),
  model: z.string().trim().min(1).max(200),
  capability: capabilitySchema.nullable(),
  contextWindow: z.int().min(1024).max(10_000_000).nullable(),
  maxOutputTokens: z.int().min(1).max(1_000_000).nullable(),
  params: channelParamsSchema,
  headers: headersSchema,
  timeoutMs: z.int().min(100).max(3_600_000).nullable(),
  fallbackChannelId: z.int().min(1).nullable(),
  status: statusSchema,
};
/** Write-only: stored encrypted, shown as its last four characters. An empty text removes the key. */
const apiKeySchema = z
  .string()
  .max(4000)
  .regex(/^[\x21-\x7e]*$/, 'a key holds printable ASCII without spaces only');

export const channelSchema = z
  .object({
    id: z.int(),
    ...channelFields,
    /** Values are masked: a header may hold a secret. */
    headers: z.record(z.string(), z.string()),
    apiKeyHint: z.string().nullable(),
    version: z.int(),
    createTime: timeSchema,
    updateTime: timeSchema,
  })
  .meta({ id: 'Channel' });
export type Channel = z.infer<typeof channelSchema>;

export const channelAddBodySchema = z
  .strictObject({
    ...channelFields,
    baseUrl: channelFields.baseUrl.default(null),
    apiKey: apiKeySchema.optional(),
    capability: channelFields.capability.default(null),
    contextWindow: channelFields.contextWindow.default(null),
    maxOutputTokens: channelFields.maxOutputTokens.default(null),
    params: channelFields.params.default({}),
    headers: channelFields.headers.default({}),
    timeoutMs: channelFields.timeoutMs.default(null),
    fallbackChannelId: channelFields.fallbackChannelId.default(null),
    status: channelFields.status.default(1),
  })
  .meta({ id: 'ChannelAdd' });
export type ChannelAddBody = z.infer<typeof channelAddBodySchema>;

export const channelUpdateBodySchema = z
  .strictObject({
    id: z.int().min(1),
    version: z.int().min(1),
    ...z.strictObject(channelFields).partial().shape,
    apiKey: apiKeySchema.optional(),
  })
  .meta({ id: 'ChannelUpdate' });
export type ChannelUpdateBody = z.infer<typeof channelUpdateBodySchema>;

export const channelPageBodySchema = pageBodyOf(
  ['id', 'name', 'protocol', 'model', 'status', 'createTime', 'updateTime'],
  { protocol: protocolSchema.optional(), status: statusSchema.optional() },
);
export type ChannelPageBody = z.infer<typeof channelPageBodySchema>;

export const channelListItemSchema = z
  .object({
    id: z.int(),
    name: z.string(),
    protocol: protocolSchema,
    model: z.string(),
    capability: capabilitySchema.nullable(),
    status: statusSchema,
  })
  .meta({ id: 'ChannelListItem' });
export type ChannelListItem = z.infer<typeof channelListItemSchema>;

export const channelTestSchema = z
  .object({
    ok: z.boolean(),
    latencyMs: z.number(),
    reply: z.string().nullable(),
    error: z.string().nullable(),
  })
  .meta({ id: 'ChannelTest' });
export type ChannelTest = z.infer<typeof channelTestSchema>;

const base = '/admin/netaclaw/channel';
export const channelRoutes = defineRoutes({
  page: {
    method: 'post',
    path: `${base}/page`,
    summary: 'Model channels, page by page',
    access: { roles: everyone },
    reads: true,
    body: channelPageBodySchema,
    answer: pageOf(channelSchema),
  },
  list: {
    method: 'post',
    path: `${base}/list`,
    summary: 'The names of all channels, to choose from',
    access: { roles: everyone },
    reads: true,
    body: emptyBodySchema,
    answer: z.array(channelListItemSchema),
  },
  info: {
    method: 'get',
    path: `${base}/info`,
    summary: 'One channel',
    access: { roles: everyone },
    reads: true,
    query: idQuerySchema,
    answer: channelSchema,
  },
  add: {
    method: 'post',
    path: `${base}/add`,
    summary: 'Add a channel',
    access: { roles: editors },
    body: channelAddBodySchema,
    answer: channelSchema,
  },
  update: {
    method: 'post',
    path: `${base}/update`,
    summary: 'Change a channel',
    access: { roles: editors },
    body: channelUpdateBodySchema,
    answer: channelSchema,
  },
  delete: {
    method: 'post',
    path: `${base}/delete`,
    summary: 'Delete channels',
    access: { roles: editors },
    body: idsBodySchema,
    answer: deletedSchema,
  },
  test: {
    method: 'post',
    path: `${base}/test`,
    summary: 'Make one small call to the model; reports latency and the error in full',
    access: { roles: editors },
    body: idBodySchema,
    answer: channelTestSchema,
  },
});
