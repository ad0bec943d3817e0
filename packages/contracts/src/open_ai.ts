import { z } from 'zod';
import { editors } from './role.js';
import { defineRoutes } from './route.js';

/** Where the OpenAI-compatible API lives; below it every answer, errors too, has that API's form. */
export const OPEN_AI_PREFIX = '/v1';
export const isOpenAiPath = (path: string): boolean =>
  path === OPEN_AI_PREFIX || path.startsWith(`${OPEN_AI_PREFIX}/`);

const MAX_BODY_BYTES = 20 * 1024 * 1024;
const MAX_TEXT = 500_000;

const toolsRefused =
  'an agent here has the tools its operator gives it; a request cannot bring tools of its own';
const textSchema = z.string().max(MAX_TEXT);
const textPartSchema = z.object({ type: z.literal('text'), text: textSchema });
const refusalPartSchema = z.object({ type: z.literal('refusal'), refusal: textSchema });
const webUrlSchema = z.url({ protocol: /^https?$/i }).max(4000);
const imageUrlSchema = z
  .string()
  .refine(
    (url) => /^data:image\//i.test(url) || webUrlSchema.safeParse(url).success,
    'must be an http or https address, or a data: URL of an image',
  );
const imagePartSchema = z.object({
  type: z.literal('image_url'),
  image_url: z.object({ url: imageUrlSchema }),
});

const textContentSchema = z.union([textSchema, z.array(textPartSchema)], {
  error: 'must be text, or a list of parts of the type text',
});
const userPartSchema = z.discriminatedUnion('type', [textPartSchema, imagePartSchema], {
  error: 'only parts of the types text and image_url are taken',
});
const answerPartSchema = z.discriminatedUnion('type', [textPartSchema, refusalPartSchema], {
  error: 'only parts of the types text and refusal are taken',
});

/** A call in a client's history. One of another shape is left out of the conversation. */
export const openAiToolCallSchema = z.union([
  z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) }),
  z.object({ id: z.string(), custom: z.object({ name: z.string(), input: z.string() }) }),
]);

const openAiMessageSchema = z
  .discriminatedUnion(
    'role',
    [
      z.object({ role: z.literal('system'), content: textContentSchema }),
      z.object({ role: z.literal('developer'), content: textContentSchema }),
      z.object({
        role: z.literal('user'),
        content: z.union([textSchema, z.array(userPartSchema)], {
          error: 'must be text, or a list of parts of the types text and image_url',
        }),
      }),
      z.object({
        role: z.literal('assistant'),
        content: z.union([textSchema, z.array(answerPartSchema)]).nullish(),
        tool_calls: z.array(z.unknown()).nullish(),
      }),
      z.object({
        role: z.literal('tool'),
        tool_call_id: z.string(),
        content: textContentSchema.nullish(),
      }),
      z.object({ role: z.literal('function'), content: textContentSchema.nullish() }),
    ],
    { error: 'the role must be system, developer, user, assistant or tool' },
  )
  .meta({ id: 'OpenAiMessage' });
export type OpenAiMessage = z.infer<typeof openAiMessageSchema>;
export type OpenAiUserMessage = Extract<OpenAiMessage, { role: 'user' }>;

/** System and developer messages are no turns of a conversation, wherever they stand. */
export const isInstruction = ({ role }: OpenAiMessage): boolean =>
  role === 'system' || role === 'developer';

const isBlank = ({ content }: OpenAiUserMessage): boolean =>
  typeof content === 'string'
    ? content.trim() === ''
    : content.every((part) => part.type === 'text' && part.text.trim() === '');

/** Characters of text, that of all parts together. */
function lengthOf({ content }: OpenAiMessage): number {
  if (typeof content === 'string') return content.length;
  return (content ?? []).reduce(
    (sum, part) => sum + (part.type === 'text' ? part.text.length : 0),
    0,
  );
}

/** What is wrong with a list of messages as a whole; what becomes part of a stored run has a limit. */
function problemOf(
  messages: readonly OpenAiMessage[],
): { path: (string | number)[]; message: string } | null {
  const at = messages.findLastIndex((message) => !isInstruction(message));
  const last = messages[at];
  if (last?.role !== 'user') {
    return { path: [], message: 'the conversation must end with a user message' };
  }
  const path = [at, 'content'];
  if (isBlank(last)) return { path, message: 'the last user message is empty' };
  if (lengthOf(last) > MAX_TEXT) return { path, message: `at most ${MAX_TEXT} characters` };
  const instructions = messages.filter(isInstruction).reduce((sum, one) => sum + lengthOf(one), 0);
  if (instructions <= MAX_TEXT) return null;
  const what = 'system and developer messages may have together';
  return { path: [], message: `${what} at most ${MAX_TEXT} characters` };
}

const openAiMessagesSchema = z
  .array(openAiMessageSchema)
  .min(1, 'say something: there is no message')
  .superRefine((messages, context) => {
    const problem = problemOf(messages);
    if (problem) context.addIssue({ code: 'custom', ...problem });
  });

/**
 * A request of `POST /v1/chat/completions`. Other than everywhere else, fields that are not known here
 * are let pass: this is somebody else's contract, its clients send many fields and its next version will
 * have more. What is asked for and cannot be had is refused (`tools`, `n`, `response_format`,
 * `logprobs`); what only shapes the model's call (`temperature`, `max_tokens`, `seed`, ...) is ignored,
 * because the agent's channel decides it.
 */
export const chatCompletionBodySchema = z
  .object({
    /** The name of an agent, or `crew:` and that of a crew. */
    model: z.string().min(1).max(100),
    messages: openAiMessagesSchema,
    stream: z.boolean().nullish(),
    stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
    /** `session_id`, an extension: go on with this session instead of with the messages sent along. */
    metadata: z.object({ session_id: z.uuid().optional() }).nullish(),
    tools: z.array(z.unknown()).max(0, toolsRefused).nullish(),
    functions: z.array(z.unknown()).max(0, toolsRefused).nullish(),
    tool_choice: z.enum(['none', 'auto'], { error: toolsRefused }).nullish(),
    function_call: z.enum(['none', 'auto'], { error: toolsRefused }).nullish(),
    n: z.literal(1, { error: 'an agent gives one answer: n must be 1' }).nullish(),
    response_format: z
      .object({ type: z.string() })
      .refine(({ type }) => type === 'text', 'an agent answers in text: only type "text" is taken')
      .nullish(),
    logprobs: z.literal(false, { error: 'log probabilities cannot be had' }).nullish(),
    modalities: z.array(z.literal('text', { error: 'an agent answers in text only' })).nullish(),
  })
  .meta({
    id: 'ChatCompletionRequest',
    description:
      'Sampling fields (temperature, max_tokens, stop, seed, ...) are accepted and ignored: the channel of the agent decides them.',
  });
export type ChatCompletionBody = z.infer<typeof chatCompletionBodySchema>;

export const completionUsageSchema = z
  .object({ prompt_tokens: z.int(), completion_tokens: z.int(), total_tokens: z.int() })
  .meta({ id: 'CompletionUsage' });
export type CompletionUsage = z.infer<typeof completionUsageSchema>;

/** `length`: the run answered because its tool budget was spent. */
const finishReasonSchema = z.enum(['stop', 'length']);
export type FinishReason = z.infer<typeof finishReasonSchema>;

const completionFields = {
  /** `chatcmpl-` and the id of the run. */
  id: z.string(),
  /** Seconds since 1970. */
  created: z.int(),
  /** As it was asked for. */
  model: z.string(),
};

export const chatCompletionSchema = z
  .object({
    ...completionFields,
    object: z.literal('chat.completion'),
    choices: z.array(
      z.object({
        index: z.literal(0),
        message: z.object({
          role: z.literal('assistant'),
          content: z.string(),
          refusal: z.null(),
        }),
        logprobs: z.null(),
        finish_reason: finishReasonSchema,
      }),
    ),
    usage: completionUsageSchema,
  })
  .meta({ id: 'ChatCompletion' });
export type ChatCompletion = z.infer<typeof chatCompletionSchema>;

export const chatCompletionChunkSchema = z
  .object({
    ...completionFields,
    object: z.literal('chat.completion.chunk'),
    choices: z.array(
      z.object({
        index: z.literal(0),
        delta: z.object({
          role: z.literal('assistant').optional(),
          content: z.string().optional(),
          refusal: z.null().optional(),
        }),
        logprobs: z.null(),
        finish_reason: finishReasonSchema.nullable(),
      }),
    ),
    /** With `include_usage`: null in all but the last chunk, which has no choices. */
    usage: completionUsageSchema.nullable().optional(),
  })
  .meta({ id: 'ChatCompletionChunk' });
export type ChatCompletionChunk = z.infer<typeof chatCompletionChunkSchema>;

export const openAiModelSchema = z
  .object({
    /** The name of an agent, or `crew:` and that of a crew. */
    id: z.string(),
    object: z.literal('model'),
    created: z.int(),
    owned_by: z.literal('netaclaw'),
  })
  .meta({ id: 'OpenAiModel' });
export type OpenAiModel = z.infer<typeof openAiModelSchema>;

export const openAiModelListSchema = z.object({
  object: z.literal('list'),
  data: z.array(openAiModelSchema),
});
export type OpenAiModelList = z.infer<typeof openAiModelListSchema>;

/** How every failure below `/v1` is answered. */
export const openAiFailureSchema = z
  .object({
    error: z.object({
      message: z.string(),
      type: z.enum([
        'invalid_request_error',
        'permission_error',
        'rate_limit_error',
        'server_error',
      ]),
      /** The wrong field, for example `messages[2].content`. */
      param: z.string().nullable(),
      code: z.string().nullable(),
    }),
  })
  .meta({ id: 'OpenAiFailure' });
export type OpenAiFailure = z.infer<typeof openAiFailureSchema>;

const access = { roles: editors, keys: true } as const;
export const openAiRoutes = defineRoutes({
  models: {
    method: 'get',
    path: `${OPEN_AI_PREFIX}/models`,
    summary: 'The agents and crews you may use, as models',
    access,
    reads: true,
    answer: openAiModelListSchema,
    form: 'raw',
  },
  model: {
    method: 'get',
    path: `${OPEN_AI_PREFIX}/models/:model`,
    summary: 'One agent or crew, as a model',
    access,
    reads: true,
    params: z.strictObject({ model: z.string().min(1).max(100) }),
    answer: openAiModelSchema,
    form: 'raw',
  },
  chatCompletion: {
    method: 'post',
    path: `${OPEN_AI_PREFIX}/chat/completions`,
    summary: 'One turn with an agent, in the form of OpenAI chat completions',
    access,
    maxBodyBytes: MAX_BODY_BYTES,
    body: chatCompletionBodySchema,
    answer: chatCompletionSchema,
    chunk: chatCompletionChunkSchema,
    form: 'raw-stream',
  },
});
