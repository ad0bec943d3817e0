import { z } from 'zod';
import { defineRoutes } from './route.js';

export const liveSchema = z.object({ status: z.literal('live') });
/** Every check by name: `ok`, or the sentence that says what is wrong. */
export const readySchema = z.object({
  status: z.enum(['ready', 'not ready']),
  checks: z.record(z.string(), z.string()),
});
export type Ready = z.infer<typeof readySchema>;

export const systemRoutes = defineRoutes({
  live: {
    method: 'get',
    path: '/health/live',
    summary: 'The process answers',
    access: 'open',
    reads: true,
    answer: liveSchema,
    form: 'raw',
  },
  ready: {
    method: 'get',
    path: '/health/ready',
    summary: 'Database reached, catalog synced; 503 when not',
    access: 'open',
    reads: true,
    answer: readySchema,
    form: 'raw',
  },
  metrics: {
    method: 'get',
    path: '/metrics',
    summary: 'Figures in the Prometheus text format',
    access: 'open',
    reads: true,
    answer: z.string(),
    media: 'text/plain',
    form: 'raw',
  },
  openApi: {
    method: 'get',
    path: '/openapi.json',
    summary: 'This document',
    access: 'open',
    reads: true,
    answer: z.record(z.string(), z.unknown()),
    form: 'raw',
  },
});
