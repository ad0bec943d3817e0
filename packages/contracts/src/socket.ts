import { z } from 'zod';
import { agentRoutes } from './agent.js';
import { chatBodySchema, chatRoutes, runSchema } from './chat.js';
import { MAX_PAGE_SIZE, failureSchema } from './http.js';
import { everyone } from './role.js';
import type { Access } from './route.js';
import { disabledToolSchema, modelCapabilitySchema } from './tool.js';

export const SOCKET_PATH = '/ws';
/** The protocols that are spoken, newest first. */
export const socketProtocols = [1] as const;

/** What a socket is held to. */
export const socketLimits = {
  /** Bytes of a frame before `connect`, and after. */
  maxBytesBeforeConnect: 64 * 1024,
  maxBytes: 1024 * 1024,
  /** Milliseconds until the first `connect` must have succeeded. */
  connectTimeoutMs: 10_000,
  /** Requests of one socket that may be under way. */
  maxPending: 64,
  /** Runs that one socket may follow. */
  maxSubscriptions: 256,
} as const;

/** Why the server closes a socket; those below 4000 are of RFC 6455. */
export const socketCloseCodes = {
  goingAway: 1001,
  policy: 1008,
  tooLarge: 1009,
  tooSlow: 1013,
  unauthorized: 4401,
  connectTimeout: 4408,
  tooMany: 4429,
} as const;

/** One method: who may use it, what it takes, what it answers. */
export interface SocketMethod<
  Params extends z.ZodType = z.ZodType,
  Payload extends z.ZodType = z.ZodType,
> {
  access: Access;
  params: Params;
  payload: Payload;
}
const defineMethods = <const T extends Record<string, SocketMethod>>(methods: T): T => methods;

const pageFields = {
  page: z.int().min(1).default(1),
  size: z.int().min(1).max(MAX_PAGE_SIZE).default(20),
};
const runParamsSchema = z.strictObject({ runId: z.uuid() });
const startedSchema = z.object({ runId: z.string(), sessionId: z.string() });
const { access } = chatRoutes.chat;

/** Every method but `connect`: a request means the same as the route that shares its name. */
export const socketMethods = defineMethods({
  'chat.send': {
    access,
    params: chatBodySchema.safeExtend({ stream: z.boolean().default(true) }),
    payload: startedSchema,
  },
  'chat.cancel': { access, params: runParamsSchema, payload: runSchema },
  'run.subscribe': {
    access,
    params: runParamsSchema.safeExtend({ after: z.int().min(0).default(0) }),
    payload: startedSchema,
  },
  'session.list': {
    access,
    params: z.strictObject(pageFields),
    payload: chatRoutes.sessions.answer,
  },
  'session.history': {
    access,
    params: z.strictObject({ sessionId: z.uuid(), ...pageFields }),
    payload: chatRoutes.sessionMessages.answer,
  },
  'tools.effective': {
    access: { roles: agentRoutes.previewPrompt.access.roles, keys: true },
    params: z
      .strictObject({
        agent: z.string().min(1).max(64).optional(),
        /** As its master. */
        crew: z.string().min(1).max(64).optional(),
      })
      .refine(({ agent, crew }) => (agent === undefined) !== (crew === undefined), {
        message: 'name an agent or a crew',
        path: ['agent'],
      }),
    payload: z.object({
      toolNames: z.array(z.string()),
      disabledReasons: z.array(disabledToolSchema),
      warnings: z.array(z.string()),
      modelCapability: modelCapabilitySchema,
    }),
  },
  ping: {
    access: { roles: everyone, keys: true },
    params: z.strictObject({}),
    payload: z.object({ at: z.iso.datetime() }),
  },
});
export type SocketMethods = typeof socketMethods;
export type SocketMethodName = keyof SocketMethods;
export type SocketParams<M extends SocketMethodName> = z.output<SocketMethods[M]['params']>;
export type SocketPayload<M extends SocketMethodName> = z.output<SocketMethods[M]['payload']>;

/** Sent first, and again with a fresh token before the old one runs out. */
export const connectParamsSchema = z.strictObject({
  /** An access token or an API key. */
  token: z.string().min(1).max(8192),
  protocol: z.int(),
});
export type ConnectParams = z.infer<typeof connectParamsSchema>;

export const connectPayloadSchema = z.object({
  protocol: z.int(),
  /** The methods there are. */
  features: z.array(z.string()),
  limits: z.record(z.string(), z.number()),
});
export type ConnectPayload = z.infer<typeof connectPayloadSchema>;

/** Chosen by the client, to know the answer by; answered as it came. */
const requestIdSchema = z.union([z.string().min(1).max(200), z.int()]);

export const socketRequestSchema = z.strictObject({
  type: z.literal('req'),
  id: requestIdSchema,
  method: z.string().min(1).max(100),
  params: z.unknown().optional(),
});
export type SocketRequest = z.infer<typeof socketRequestSchema>;
export type SocketRequestId = SocketRequest['id'];

/** A failure as over HTTP; `retryable`: the same request may succeed a little later. */
export const socketErrorSchema = failureSchema.safeExtend({ retryable: z.boolean() });
export type SocketError = z.infer<typeof socketErrorSchema>;

/** An answer; its `id` is null where the frame had none that could be read. */
export const socketResponseSchema = z.discriminatedUnion('ok', [
  z.object({
    type: z.literal('res'),
    id: requestIdSchema,
    ok: z.literal(true),
    payload: z.unknown(),
  }),
  z.object({
    type: z.literal('res'),
    id: requestIdSchema.nullable(),
    ok: z.literal(false),
    error: socketErrorSchema,
  }),
]);
export type SocketResponse = z.infer<typeof socketResponseSchema>;

/** An event of a run; `payload` is the event's own fields with `seq`, `at` and `type`. */
export const socketEventSchema = z.object({
  type: z.literal('event'),
  event: z.string(),
  runId: z.string(),
  sessionId: z.string(),
  seq: z.int(),
  payload: z.record(z.string(), z.unknown()),
});
export type SocketEvent = z.infer<typeof socketEventSchema>;

/** What a server sends. */
export const socketFrameSchema = z.union([socketResponseSchema, socketEventSchema]);
