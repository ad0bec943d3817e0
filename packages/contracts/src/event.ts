import { z } from 'zod';
import { toolStatusSchema, usageSchema } from './message.js';
import { disabledToolSchema } from './tool.js';

/** How a run ended, or that it has not yet. `limit`: it answered because its tool budget was spent. */
export const runStatusSchema = z
  .enum(['running', 'completed', 'limit', 'cancelled', 'failed'])
  .meta({ id: 'RunStatus' });
export type RunStatus = z.infer<typeof runStatusSchema>;
export const endStatusSchema = runStatusSchema.exclude(['running']);
export type EndStatus = z.infer<typeof endStatusSchema>;

const eventOf = <const T extends string, F extends z.ZodRawShape>(type: T, fields: F) =>
  z.object({ type: z.literal(type), ...fields });

/** What a run emits, before it has its number. `run-end` is the last and comes exactly once. */
export const runEventBodySchema = z.discriminatedUnion('type', [
  eventOf('run-start', {
    agent: z.string(),
    model: z.string(),
    /** True when the model is the built-in rehearsal, not a real one. */
    rehearsal: z.boolean(),
    toolNames: z.array(z.string()),
    disabledReasons: z.array(disabledToolSchema),
  }),
  eventOf('text-delta', { text: z.string() }),
  eventOf('reasoning-delta', { text: z.string() }),
  eventOf('tool-call', { id: z.string(), name: z.string(), arguments: z.string() }),
  eventOf('tool-result', {
    id: z.string(),
    name: z.string(),
    status: toolStatusSchema,
    durationMs: z.number(),
    preview: z.string(),
  }),
  eventOf('delegate-start', {
    toolCallId: z.string(),
    childRunId: z.string(),
    member: z.string(),
  }),
  eventOf('delegate-end', { childRunId: z.string(), status: endStatusSchema }),
  /** A file for the person; `link` answers to them alone. */
  eventOf('file', {
    fileId: z.string(),
    name: z.string(),
    size: z.int(),
    mime: z.string(),
    link: z.string(),
  }),
  eventOf('message', { text: z.string() }),
  /**
   * One model call: its own usage and duration, and the model that answered: a fallback's, at times.
   * `purpose`: not a step of the turn itself; `summary` made notes on older turns.
   */
  eventOf('usage', {
    ...usageSchema.shape,
    durationMs: z.number(),
    model: z.string().optional(),
    purpose: z.enum(['summary']).optional(),
  }),
  /** `truncated`: the model stopped at its limit of output, so the answer is cut off. */
  eventOf('run-end', {
    status: endStatusSchema,
    error: z.string().optional(),
    truncated: z.literal(true).optional(),
  }),
]);
export type RunEventBody = z.infer<typeof runEventBodySchema>;
export type RunEventType = RunEventBody['type'];

const addressFields = {
  runId: z.string(),
  sessionId: z.string(),
  /** Counts from 1 within a run, without gaps. */
  seq: z.int(),
  /** When it was emitted. */
  at: z.iso.datetime(),
};
export const runEventSchema = z
  .intersection(runEventBodySchema, z.object(addressFields))
  .meta({ id: 'RunEvent' });
export type RunEvent = z.infer<typeof runEventSchema>;
