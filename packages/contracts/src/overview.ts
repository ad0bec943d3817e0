import { z } from 'zod';
import { timeSchema } from './http.js';
import { everyone } from './role.js';
import { defineRoutes } from './route.js';

const HOUR_MS = 3_600_000;
const LONGEST_DAYS = 31;

const isWindow = ({ from, to }: { from: string; to: string }): boolean => {
  const length = Date.parse(to) - Date.parse(from);
  return length > 0 && length <= LONGEST_DAYS * 24 * HOUR_MS;
};

/** A window of time, cut into steps of whole hours from `from` on. */
export const figuresBodySchema = z
  .strictObject({
    from: timeSchema,
    to: timeSchema,
    stepHours: z.int().min(1).max(24),
  })
  .refine(isWindow, {
    path: ['to'],
    message: `comes after "from", by ${LONGEST_DAYS} days at most`,
  })
  .meta({ id: 'FiguresBody' });
export type FiguresBody = z.infer<typeof figuresBodySchema>;

export const figuresStepSchema = z.object({
  /** When the step begins. */
  at: timeSchema,
  runs: z.int(),
  /** How many of them failed. */
  failed: z.int(),
  tokens: z.int(),
});
export type FiguresStep = z.infer<typeof figuresStepSchema>;

export const toolUseSchema = z.object({ name: z.string(), calls: z.int() });
export type ToolUse = z.infer<typeof toolUseSchema>;

/** What happened in a window of time: every step of it, and the tools that were called most. */
export const figuresSchema = z
  .object({ steps: z.array(figuresStepSchema), tools: z.array(toolUseSchema) })
  .meta({ id: 'Figures' });
export type Figures = z.infer<typeof figuresSchema>;

export const overviewRoutes = defineRoutes({
  figures: {
    method: 'post',
    path: '/admin/netaclaw/overview/figures',
    summary: 'Runs, errors and tool calls over time',
    access: { roles: everyone },
    reads: true,
    body: figuresBodySchema,
    answer: figuresSchema,
  },
});
