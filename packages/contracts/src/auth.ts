import { z } from 'zod';
import {
  deletedSchema,
  emptyBodySchema,
  idQuerySchema,
  idsBodySchema,
  pageBodyOf,
  pageOf,
  statusSchema,
  timeSchema,
} from './http.js';
import { admins, everyone, roleSchema } from './role.js';
import { defineRoutes } from './route.js';

export const MIN_PASSWORD_LENGTH = 12;
const newPasswordSchema = z
  .string()
  .min(MIN_PASSWORD_LENGTH, `at least ${MIN_PASSWORD_LENGTH} characters`)
  .max(200);
const usernameSchema = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/, 'letters, digits and . _ @ -, at most 64');

export const loginBodySchema = z
  .strictObject({ username: z.string().min(1).max(200), password: z.string().min(1).max(200) })
  .meta({ id: 'Login' });
export type LoginBody = z.infer<typeof loginBodySchema>;

/** A pair of tokens; `expire` and `refreshExpire` are seconds from now. */
export const tokensSchema = z
  .object({
    token: z.string(),
    expire: z.int(),
    refreshToken: z.string(),
    refreshExpire: z.int(),
  })
  .meta({ id: 'Tokens' });
export type Tokens = z.infer<typeof tokensSchema>;

export const refreshBodySchema = z.strictObject({ refreshToken: z.string().min(1).max(500) });
export type RefreshBody = z.infer<typeof refreshBodySchema>;

export const personSchema = z
  .object({ id: z.int(), username: z.string(), role: roleSchema })
  .meta({ id: 'Person' });
export type Person = z.infer<typeof personSchema>;

export const passwordBodySchema = z.strictObject({
  password: z.string().min(1).max(200),
  newPassword: newPasswordSchema,
});
export type PasswordBody = z.infer<typeof passwordBodySchema>;

export const userSchema = z
  .object({
    id: z.int(),
    username: z.string(),
    role: roleSchema,
    status: statusSchema,
    version: z.int(),
    createTime: timeSchema,
    updateTime: timeSchema,
  })
  .meta({ id: 'User' });
export type User = z.infer<typeof userSchema>;

export const userAddBodySchema = z
  .strictObject({ username: usernameSchema, password: newPasswordSchema, role: roleSchema })
  .meta({ id: 'UserAdd' });
export type UserAddBody = z.infer<typeof userAddBodySchema>;

export const userUpdateBodySchema = z
  .strictObject({
    id: z.int().min(1),
    version: z.int().min(1).optional(),
    role: roleSchema.optional(),
    status: statusSchema.optional(),
    password: newPasswordSchema.optional(),
  })
  .meta({ id: 'UserUpdate' });
export type UserUpdateBody = z.infer<typeof userUpdateBodySchema>;

export const userPageBodySchema = pageBodyOf(
  ['id', 'username', 'role', 'status', 'createTime', 'updateTime'],
  { role: roleSchema.optional(), status: statusSchema.optional() },
);
export type UserPageBody = z.infer<typeof userPageBodySchema>;

export const authRoutes = defineRoutes({
  login: {
    method: 'post',
    path: '/admin/base/open/login',
    summary: 'Sign in',
    access: 'open',
    body: loginBodySchema,
    answer: tokensSchema,
  },
  refreshToken: {
    method: 'post',
    path: '/admin/base/open/refreshToken',
    summary: 'New tokens for a refresh token, which is spent; one used twice ends its family',
    access: 'open',
    body: refreshBodySchema,
    answer: tokensSchema,
  },
  logout: {
    method: 'post',
    path: '/admin/base/comm/logout',
    summary: 'End this sign-in: its tokens are worth nothing from now on',
    access: { roles: everyone },
    body: emptyBodySchema,
    answer: z.object({}),
  },
  person: {
    method: 'get',
    path: '/admin/base/comm/person',
    summary: 'Who is signed in',
    access: { roles: everyone },
    reads: true,
    answer: personSchema,
  },
  password: {
    method: 'post',
    path: '/admin/base/comm/password',
    summary: 'Change your own password; every other sign-in of yours ends',
    access: { roles: everyone },
    body: passwordBodySchema,
    answer: tokensSchema,
  },
});

const base = '/admin/base/user';
export const userRoutes = defineRoutes({
  page: {
    method: 'post',
    path: `${base}/page`,
    summary: 'Users, page by page',
    access: { roles: admins },
    reads: true,
    body: userPageBodySchema,
    answer: pageOf(userSchema),
  },
  info: {
    method: 'get',
    path: `${base}/info`,
    summary: 'One user',
    access: { roles: admins },
    reads: true,
    query: idQuerySchema,
    answer: userSchema,
  },
  add: {
    method: 'post',
    path: `${base}/add`,
    summary: 'Add a user',
    access: { roles: admins },
    body: userAddBodySchema,
    answer: userSchema,
  },
  update: {
    method: 'post',
    path: `${base}/update`,
    summary: "Change a user's role, status or password",
    access: { roles: admins },
    body: userUpdateBodySchema,
    answer: userSchema,
  },
  delete: {
    method: 'post',
    path: `${base}/delete`,
    summary: 'Delete users',
    access: { roles: admins },
    body: idsBodySchema,
    answer: deletedSchema,
  },
});
