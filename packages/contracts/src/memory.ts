import { z } from 'zod';
import { deletedSchema, idsBodySchema, pageBodyOf, pageOf, timeSchema } from './http.js';
import { everyone } from './role.js';
import { defineRoutes } from './route.js';

/** Characters of one entry. */
export const MAX_MEMORY_TEXT = 2000;
/** Entries that an agent keeps about one user. */
export const MAX_MEMORY_ENTRIES = 200;

/** What an entry may say: something, and not too much. */
export const memoryTextSchema = z.string().trim().min(1).max(MAX_MEMORY_TEXT);

/** What an agent noted about a user. */
export const memoryEntrySchema = z
  .object({
    id: z.int(),
    agentId: z.int(),
    /** `user:1`, `key:3`: whose conversations it is from. */
    owner: z.string(),
    /** The same by name: `user:admin`. */
    ownerName: z.string(),
    text: z.string(),
    version: z.int(),
    createTime: timeSchema,
    updateTime: timeSchema,
  })
  .meta({ id: 'MemoryEntry' });
export type MemoryEntry = z.infer<typeof memoryEntrySchema>;

export const memoryPageBodySchema = pageBodyOf(['id', 'ownerName', 'createTime', 'updateTime'], {
  agentId: z.int().min(1).optional(),
  owner: z.string().max(64).optional(),
});
export type MemoryPageBody = z.infer<typeof memoryPageBodySchema>;

export const memoryUpdateBodySchema = z
  .strictObject({ id: z.int().min(1), version: z.int().min(1), text: memoryTextSchema })
  .meta({ id: 'MemoryUpdate' });
export type MemoryUpdateBody = z.infer<typeof memoryUpdateBodySchema>;

const base = '/admin/netaclaw/memory';
/** A viewer sees and changes what is kept about himself; operators and admins what is kept about anyone. */
export const memoryRoutes = defineRoutes({
  page: {
    method: 'post',
    path: `${base}/page`,
    summary: 'What agents noted about users, page by page; a viewer gets his own',
    access: { roles: everyone },
    reads: true,
    body: memoryPageBodySchema,
    answer: pageOf(memoryEntrySchema),
  },
  update: {
    method: 'post',
    path: `${base}/update`,
    summary: 'Correct an entry',
    access: { roles: everyone },
    body: memoryUpdateBodySchema,
    answer: memoryEntrySchema,
  },
  delete: {
    method: 'post',
    path: `${base}/delete`,
    summary: 'Delete entries',
    access: { roles: everyone },
    body: idsBodySchema,
    answer: deletedSchema,
  },
});
