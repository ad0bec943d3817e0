import { z } from 'zod';
import { pageBodyOf, pageOf, timeSchema } from './http.js';
import { everyone } from './role.js';
import { defineRoutes } from './route.js';

/** What is recorded. `tool.call` is a call a model made; the rest are changes a person made. */
export const auditActionSchema = z
  .enum([
    'tool.update',
    'tool.sync',
    'tool.call',
    'agent.add',
    'agent.update',
    'agent.delete',
    'crew.add',
    'crew.update',
    'crew.delete',
    'memory.update',
    'memory.delete',
    'skill.add',
    'skill.update',
    'skill.import',
    'skill.review',
    'skill.publish',
    'skill.rollback',
    'skill.archive',
    'skill.delete',
    'channel.add',
    'channel.update',
    'channel.delete',
    'apiKey.add',
    'apiKey.update',
    'apiKey.delete',
    'user.add',
    'user.update',
    'user.delete',
    'user.login',
    'user.logout',
    'user.password',
    'session.delete',
    'sandbox.stop',
    'sandbox.extend',
    'sandbox.delete',
    'sandbox.skillEvaluate',
    'sandbox.skillPromote',
    'sandbox.skillRollback',
    'sandbox.skillSync',
    'run.cancel',
  ])
  .meta({ id: 'AuditAction' });
export type AuditAction = z.infer<typeof auditActionSchema>;

export const auditRowSchema = z
  .object({
    id: z.int(),
    /** `user:<name>`, `key:<name>` or `system`. */
    actor: z.string(),
    action: auditActionSchema,
    /** What was changed or called, for example `tool:bash`. */
    target: z.string(),
    before: z.unknown(),
    after: z.unknown(),
    at: timeSchema,
    ip: z.string().nullable(),
  })
  .meta({ id: 'AuditRow' });
export type AuditRow = z.infer<typeof auditRowSchema>;

const auditFilters = {
  actor: z.string().max(200).optional(),
  action: auditActionSchema.optional(),
  target: z.string().max(200).optional(),
  from: timeSchema.optional(),
  to: timeSchema.optional(),
};
export const auditPageBodySchema = pageBodyOf(
  ['id', 'at', 'actor', 'action', 'target'],
  auditFilters,
);
export type AuditPageBody = z.infer<typeof auditPageBodySchema>;
export const auditExportBodySchema = z.strictObject(auditFilters);
export type AuditExportBody = z.infer<typeof auditExportBodySchema>;

const base = '/admin/netaclaw/audit';
export const auditRoutes = defineRoutes({
  page: {
    method: 'post',
    path: `${base}/page`,
    summary: 'Who changed what, and which tools were called by whom',
    access: { roles: everyone },
    reads: true,
    body: auditPageBodySchema,
    answer: pageOf(auditRowSchema),
  },
  export: {
    method: 'post',
    path: `${base}/export`,
    summary: 'The same as CSV',
    access: { roles: everyone },
    reads: true,
    body: auditExportBodySchema,
    answer: z.string(),
    media: 'text/csv',
    form: 'stream',
  },
});
