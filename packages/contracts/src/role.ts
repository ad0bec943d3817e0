import { z } from 'zod';

/** What a user may do: `admin` all, `operator` edits what agents are made of, `viewer` reads. */
export const roleSchema = z.enum(['admin', 'operator', 'viewer']).meta({ id: 'Role' });
export type Role = z.infer<typeof roleSchema>;

/** The role facts of a caller: a user's role, or `client` for an API key. */
export const callerRoleSchema = z.enum([...roleSchema.options, 'client']);
export type CallerRole = z.infer<typeof callerRoleSchema>;

export const everyone: readonly Role[] = ['admin', 'operator', 'viewer'];
export const editors: readonly Role[] = ['admin', 'operator'];
export const admins: readonly Role[] = ['admin'];
