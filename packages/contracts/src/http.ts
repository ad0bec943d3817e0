import { z } from 'zod';

/** The code of every successful answer. */
export const SUCCESS_CODE = 1000;

/** Every kind of failure an answer can report, with its HTTP status and its code. A closed set. */
export const failures = {
  validation: { status: 400, code: 1002 },
  unauthorized: { status: 401, code: 1101 },
  forbidden: { status: 403, code: 1103 },
  notFound: { status: 404, code: 1104 },
  conflict: { status: 409, code: 1109 },
  tooLarge: { status: 413, code: 1113 },
  rateLimited: { status: 429, code: 1129 },
  internal: { status: 500, code: 1003 },
  notReady: { status: 503, code: 1153 },
} as const;

export type FailureKind = keyof typeof failures;

/** One wrong place in a request body: `path` in dots, for example `tools.disabled.0`. */
export const problemSchema = z
  .object({ path: z.string(), message: z.string() })
  .meta({ id: 'Problem' });
export type Problem = z.infer<typeof problemSchema>;

/** The details of a conflict over a name that is taken: the field, and the row that has the name. */
export const nameTakenSchema = z.object({
  problems: z.array(problemSchema),
  current: z.unknown().optional(),
});
export type NameTaken = z.infer<typeof nameTakenSchema>;

export const failureSchema = z
  .object({ code: z.int(), message: z.string(), details: z.unknown().optional() })
  .meta({ id: 'Failure' });
export type Failure = z.infer<typeof failureSchema>;

/** The envelope around a successful answer. */
export const envelopeOf = <T extends z.ZodType>(data: T) =>
  z.object({ code: z.literal(SUCCESS_CODE), message: z.literal('success'), data });

export const MAX_PAGE_SIZE = 200;

const pageFields = {
  page: z.int().min(1).default(1),
  size: z.int().min(1).max(MAX_PAGE_SIZE).default(20),
  keyWord: z
    .string()
    .max(200)
    .refine((text) => !text.includes('\0'), 'a search text holds no NUL')
    .optional(),
  sort: z.enum(['asc', 'desc']).optional(),
};

/** The body of a page request: `order` is one of `columns`; `filters` are the page's own fields. */
export const pageBodyOf = <const C extends readonly [string, ...string[]], F extends z.ZodRawShape>(
  columns: C,
  filters: F,
) => z.strictObject({ ...pageFields, order: z.enum(columns).optional(), ...filters });

/** The same for a GET route, where every value arrives as text. */
export const pageQuerySchema = z.strictObject({
  page: z.coerce.number().int().min(1).default(1),
  size: z.coerce.number().int().min(1).max(MAX_PAGE_SIZE).default(20),
});
export type PageQuery = z.infer<typeof pageQuerySchema>;

export interface PageRequest {
  page: number;
  size: number;
  keyWord?: string | undefined;
  order?: string | undefined;
  sort?: 'asc' | 'desc' | undefined;
}

export const pageOf = <T extends z.ZodType>(row: T) =>
  z.object({
    list: z.array(row),
    pagination: z.object({ page: z.int(), size: z.int(), total: z.int() }),
  });
export interface Page<T> {
  list: T[];
  pagination: { page: number; size: number; total: number };
}

const idSchema = z.int().min(1);
export const idQuerySchema = z.strictObject({ id: z.coerce.number().int().min(1) });
export type IdQuery = z.infer<typeof idQuerySchema>;
export const idBodySchema = z.strictObject({ id: idSchema });
export type IdBody = z.infer<typeof idBodySchema>;
export const idsBodySchema = z.strictObject({ ids: z.array(idSchema).min(1).max(MAX_PAGE_SIZE) });
export type IdsBody = z.infer<typeof idsBodySchema>;
/** Ids of sessions, runs and files are UUIDs (version 7, so that they sort by time). */
export const keyParamSchema = z.strictObject({ id: z.uuid() });
export type KeyParam = z.infer<typeof keyParamSchema>;
export const keysBodySchema = z.strictObject({ ids: z.array(z.uuid()).min(1).max(MAX_PAGE_SIZE) });
export type KeysBody = z.infer<typeof keysBodySchema>;
export const emptyBodySchema = z.strictObject({});
export const deletedSchema = z.object({ deleted: z.int() });

/** On and off, as the tables store it: 1 and 0. */
export const statusSchema = z.union([z.literal(0), z.literal(1)]);
export type Status = z.infer<typeof statusSchema>;
export const timeSchema = z.iso.datetime();
/** A short machine name: lower case, digits and single hyphens. */
export const slugSchema = z
  .string()
  .max(64)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'use lower case letters, digits and single hyphens');
