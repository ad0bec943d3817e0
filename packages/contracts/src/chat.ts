import { z } from 'zod';
import { endStatusSchema, runEventSchema, runStatusSchema } from './event.js';
import { keyParamSchema, pageOf, pageQuerySchema, timeSchema } from './http.js';
import { messageSchema, partSchema, toolStatusSchema, usageSchema } from './message.js';
import { editors } from './role.js';
import { defineRoutes } from './route.js';
import { disabledToolSchema } from './tool.js';

/** Text with a word in it, or parts of which one is such a text, an image or a file. */
const chatMessageSchema = z
  .union([z.string().min(1, { abort: true }).max(500_000), z.array(partSchema).min(1).max(50)])
  .refine(
    (message) =>
      typeof message === 'string'
        ? message.trim() !== ''
        : message.some((part) => part.type !== 'text' || part.text.trim() !== ''),
    'a message is more than white space',
  );

export const chatBodySchema = z
  .strictObject({
    /** The name of the agent, or that of a crew instead. */
    agent: z.string().min(1).max(64).optional(),
    crew: z.string().min(1).max(64).optional(),
    message: chatMessageSchema,
    /** Go on with this session; without it a new one begins. */
    sessionId: z.uuid().optional(),
    stream: z.boolean().default(false),
    /** The same key joins the same run instead of starting another. */
    requestId: z.string().min(1).max(100).optional(),
    /** Tools this request does without. A request can only narrow. */
    denyTools: z.array(z.string().min(1).max(100)).max(1000).default([]),
  })
  .superRefine(({ agent, crew }, context) => {
    if ((agent === undefined) !== (crew === undefined)) return;
    const [path, message] =
      agent === undefined
        ? ['agent', 'name an agent or a crew']
        : ['crew', 'name either an agent or a crew, not both'];
    context.addIssue({ code: 'custom', path: [path], message });
  })
  .meta({ id: 'Chat' });
export type ChatBody = z.infer<typeof chatBodySchema>;

export const chatToolCallSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** JSON text. */
  arguments: z.string(),
  status: toolStatusSchema,
  durationMs: z.number(),
});
export type ChatToolCall = z.infer<typeof chatToolCallSchema>;

/** What a turn came to. A failed one is answered too: its `status` says so and `error` why. */
export const chatAnswerSchema = z
  .object({
    runId: z.string(),
    sessionId: z.string(),
    status: endStatusSchema,
    reply: z.string(),
    toolCalls: z.array(chatToolCallSchema),
    usage: usageSchema,
    toolNames: z.array(z.string()),
    disabledReasons: z.array(disabledToolSchema),
    error: z.string().optional(),
    /** The model stopped at its limit of output: the reply is cut off. */
    truncated: z.literal(true).optional(),
  })
  .meta({ id: 'ChatAnswer' });
export type ChatAnswer = z.infer<typeof chatAnswerSchema>;

export const runSchema = z
  .object({
    runId: z.string(),
    sessionId: z.string(),
    agent: z.string(),
    /** The crew it is a run of: its master's, or a member's. */
    crew: z.string().nullable(),
    status: runStatusSchema,
    error: z.string().nullable(),
    model: z.string(),
    reply: z.string(),
    toolCalls: z.array(chatToolCallSchema),
    usage: usageSchema,
    toolNames: z.array(z.string()),
    disabledReasons: z.array(disabledToolSchema),
    startedAt: timeSchema,
    endedAt: timeSchema.nullable(),
  })
  .meta({ id: 'Run' });
export type Run = z.infer<typeof runSchema>;

export const sessionSchema = z
  .object({
    sessionId: z.string(),
    agent: z.string(),
    /** The crew it is a conversation with; null: a single agent. */
    crew: z.string().nullable(),
    title: z.string(),
    createTime: timeSchema,
    updateTime: timeSchema,
  })
  .meta({ id: 'Session' });
export type Session = z.infer<typeof sessionSchema>;

export const sessionMessageSchema = z
  .object({ runId: z.string(), at: timeSchema, message: messageSchema })
  .meta({ id: 'SessionMessage' });
export type SessionMessage = z.infer<typeof sessionMessageSchema>;

/** A turn beside its messages: how it ended, and what its events alone tell. */
export const sessionTurnSchema = z
  .object({
    runId: z.string(),
    status: runStatusSchema,
    error: z.string().nullable(),
    model: z.string(),
    rehearsal: z.boolean(),
    /** Milliseconds of its tool calls, by their ids. */
    durations: z.record(z.string(), z.number()),
    /** Files it sent, each behind the tool call that it came of. */
    files: z.array(
      z.object({
        fileId: z.string(),
        name: z.string(),
        size: z.int(),
        after: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'SessionTurn' });
export type SessionTurn = z.infer<typeof sessionTurnSchema>;

/** A page of messages, the turns they are of, and the names of the files that they hold. */
export const sessionMessagesSchema = pageOf(sessionMessageSchema).extend({
  turns: z.array(sessionTurnSchema),
  fileNames: z.record(z.string(), z.string()),
});
export type SessionMessages = z.infer<typeof sessionMessagesSchema>;

export const fileSchema = z
  .object({ fileId: z.string(), name: z.string(), size: z.int(), mime: z.string() })
  .meta({ id: 'File' });
export type File = z.infer<typeof fileSchema>;

/** Bytes, as OpenAPI words them. */
const binarySchema = z.string().meta({ format: 'binary' });

export const eventsQuerySchema = z.strictObject({
  /** Events after this `seq`; the header `Last-Event-ID` says the same. */
  after: z.coerce.number().int().min(0).optional(),
});
export type EventsQuery = z.infer<typeof eventsQuerySchema>;

const access = { roles: editors, keys: true } as const;
const base = '/api/netaclaw';
export const chatRoutes = defineRoutes({
  chat: {
    method: 'post',
    path: `${base}/chat`,
    summary: 'One turn with an agent, answered whole or as a stream of events',
    access,
    body: chatBodySchema,
    answer: chatAnswerSchema,
    chunk: runEventSchema,
    form: 'stream',
  },
  run: {
    method: 'get',
    path: `${base}/runs/:id`,
    summary: 'One run of yours',
    access,
    reads: true,
    params: keyParamSchema,
    answer: runSchema,
  },
  runEvents: {
    method: 'get',
    path: `${base}/runs/:id/events`,
    summary: 'The events of a run: what has been, then what comes',
    access,
    reads: true,
    params: keyParamSchema,
    query: eventsQuerySchema,
    answer: z.string(),
    chunk: runEventSchema,
    media: 'text/event-stream',
    form: 'stream',
  },
  cancelRun: {
    method: 'post',
    path: `${base}/runs/:id/cancel`,
    summary: 'Stop a run: its model call, its tools and its descendants',
    access,
    params: keyParamSchema,
    answer: runSchema,
  },
  sessions: {
    method: 'get',
    path: `${base}/sessions`,
    summary: 'Your sessions, newest first',
    access,
    reads: true,
    query: pageQuerySchema,
    answer: pageOf(sessionSchema),
  },
  sessionMessages: {
    method: 'get',
    path: `${base}/sessions/:id/messages`,
    summary: 'The messages of a session, oldest first',
    access,
    reads: true,
    params: keyParamSchema,
    query: pageQuerySchema,
    answer: sessionMessagesSchema,
  },
  deleteSession: {
    method: 'delete',
    path: `${base}/sessions/:id`,
    summary: 'Delete a session with its runs and its workspace',
    access,
    params: keyParamSchema,
    answer: z.object({ deleted: z.int() }),
  },
  upload: {
    method: 'post',
    path: `${base}/files`,
    summary: 'Upload a file (multipart, field `file`), to name it in a message',
    access,
    multipart: z.strictObject({ file: binarySchema }),
    answer: fileSchema,
  },
  download: {
    method: 'get',
    path: `${base}/files/:id`,
    summary: 'A file of yours',
    access,
    reads: true,
    params: keyParamSchema,
    answer: binarySchema,
    media: '*/*',
    form: 'stream',
  },
});
