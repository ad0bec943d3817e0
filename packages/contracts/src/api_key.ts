import { z } from 'zod';
import {
  deletedSchema,
  idQuerySchema,
  idsBodySchema,
  pageBodyOf,
  pageOf,
  statusSchema,
  timeSchema,
} from './http.js';
import { admins } from './role.js';
import { defineRoutes } from './route.js';

/** Every API key starts so, which lets secret scanners find one. */
export const API_KEY_PREFIX = 'nc_';

const apiKeyFields = {
  name: z.string().trim().min(1).max(100),
  /** Names of the agents it may use. Empty: none. Null: all. */
  agents: z.array(z.string().min(1).max(80)).max(1000).nullable(),
  /** Chat requests a minute; null: the server's default. */
  rateLimit: z.int().min(1).max(1_000_000).nullable(),
  expiresAt: timeSchema.nullable(),
  status: statusSchema,
};

export const apiKeySchema = z
  .object({
    id: z.int(),
    ...apiKeyFields,
    /** The last four characters. */
    hint: z.string(),
    lastUsedAt: timeSchema.nullable(),
    version: z.int(),
    createTime: timeSchema,
    updateTime: timeSchema,
  })
  .meta({ id: 'ApiKey' });
export type ApiKey = z.infer<typeof apiKeySchema>;

export const apiKeyAddBodySchema = z
  .strictObject({
    ...apiKeyFields,
    rateLimit: apiKeyFields.rateLimit.default(null),
    expiresAt: apiKeyFields.expiresAt.default(null),
    status: apiKeyFields.status.default(1),
  })
  .meta({ id: 'ApiKeyAdd' });
export type ApiKeyAddBody = z.infer<typeof apiKeyAddBodySchema>;

/** The key itself is in this answer and nowhere else. */
export const apiKeyAddedSchema = apiKeySchema
  .extend({ key: z.string() })
  .meta({ id: 'ApiKeyAdded' });
export type ApiKeyAdded = z.infer<typeof apiKeyAddedSchema>;

export const apiKeyUpdateBodySchema = z
  .strictObject({
    id: z.int().min(1),
    version: z.int().min(1),
    ...z.strictObject(apiKeyFields).partial().shape,
  })
  .meta({ id: 'ApiKeyUpdate' });
export type ApiKeyUpdateBody = z.infer<typeof apiKeyUpdateBodySchema>;

export const apiKeyPageBodySchema = pageBodyOf(
  ['id', 'name', 'status', 'expiresAt', 'lastUsedAt', 'createTime', 'updateTime'],
  { status: statusSchema.optional() },
);
export type ApiKeyPageBody = z.infer<typeof apiKeyPageBodySchema>;

const base = '/admin/netaclaw/apiKey';
export const apiKeyRoutes = defineRoutes({
  page: {
    method: 'post',
    path: `${base}/page`,
    summary: 'API keys, page by page',
    access: { roles: admins },
    reads: true,
    body: apiKeyPageBodySchema,
    answer: pageOf(apiKeySchema),
  },
  info: {
    method: 'get',
    path: `${base}/info`,
    summary: 'One API key',
    access: { roles: admins },
    reads: true,
    query: idQuerySchema,
    answer: apiKeySchema,
  },
  add: {
    method: 'post',
    path: `${base}/add`,
    summary: 'Add an API key; the answer shows it for the only time',
    access: { roles: admins },
    body: apiKeyAddBodySchema,
    answer: apiKeyAddedSchema,
  },
  update: {
    method: 'post',
    path: `${base}/update`,
    summary: 'Change an API key',
    access: { roles: admins },
    body: apiKeyUpdateBodySchema,
    answer: apiKeySchema,
  },
  delete: {
    method: 'post',
    path: `${base}/delete`,
    summary: 'Delete API keys',
    access: { roles: admins },
    body: idsBodySchema,
    answer: deletedSchema,
  },
});
