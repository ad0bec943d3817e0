import { z } from 'zod';
import {
  functionNameSchema,
  imageUrlSchema,
  objectTextSchema,
  pairingProblems,
  parametersSchema,
  repeated,
  schemaProblems,
  spokenText,
  type Turn,
} from './problems.js';

/**
 * The form of a request to `/chat/completions`, after OpenAI's reference of that endpoint and its
 * published types. Where servers that imitate it are known to be stricter, it is as strict as they are.
 */
const callIdSchema = z.string().min(1).max(40);
const textPart = z.strictObject({ type: z.literal('text'), text: spokenText });
const imagePart = z.strictObject({
  type: z.literal('image_url'),
  image_url: z.strictObject({
    url: imageUrlSchema,
    detail: z.enum(['auto', 'low', 'high']).optional(),
  }),
});

const systemSchema = z.strictObject({ role: z.literal('system'), content: spokenText });
const userSchema = z.strictObject({
  role: z.literal('user'),
  content: z.union([spokenText, z.array(z.union([textPart, imagePart])).min(1)]),
});
const assistantSchema = z
  .strictObject({
    role: z.literal('assistant'),
    content: z.string(),
    /** Not OpenAI's: DeepSeek in thinking mode wants it back. */
    reasoning_content: z.string().min(1).optional(),
    tool_calls: z
      .array(
        z.strictObject({
          id: callIdSchema,
          type: z.literal('function'),
          function: z.strictObject({ name: functionNameSchema, arguments: objectTextSchema }),
        }),
      )
      .min(1)
      .optional(),
  })
  .refine(
    ({ content, tool_calls: calls }) => content.trim() !== '' || calls !== undefined,
    'neither words nor calls',
  );
const toolSchema = z.strictObject({
  role: z.literal('tool'),
  tool_call_id: callIdSchema,
  content: spokenText,
});
const messageSchema = z.discriminatedUnion('role', [
  systemSchema,
  userSchema,
  assistantSchema,
  toolSchema,
]);
type WireMessage = z.infer<typeof messageSchema>;

const bodySchema = z.strictObject({
  model: z.string().min(1),
  messages: z.array(messageSchema).min(1),
  tools: z
    .array(
      z.strictObject({
        type: z.literal('function'),
        function: z.strictObject({
          name: functionNameSchema,
          description: z.string(),
          parameters: parametersSchema,
          strict: z.literal(false).optional(),
        }),
      }),
    )
    .min(1)
    .max(128)
    .optional(),
  max_tokens: z.int().min(1).optional(),
  max_completion_tokens: z.int().min(1).optional(),
  temperature: z.number().min(0).max(2).optional(),
  top_p: z.number().min(0).max(1).optional(),
  frequency_penalty: z.number().min(-2).max(2).optional(),
  presence_penalty: z.number().min(-2).max(2).optional(),
  seed: z.int().optional(),
  reasoning_effort: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh']).optional(),
  stream: z.boolean().optional(),
  stream_options: z.strictObject({ include_usage: z.boolean() }).optional(),
});
type WireBody = z.infer<typeof bodySchema>;

/** What OpenAI would refuse about a parsed body for `/chat/completions`; empty when it is good. */
export function problemsOfChatRequest(body: unknown): string[] {
  const parsed = bodySchema.safeParse(body);
  if (!parsed.success) return schemaProblems(parsed.error);
  const { messages, tools = [] } = parsed.data;
  return [
    ...fieldProblems(parsed.data),
    ...orderProblems(messages),
    ...pairingProblems(messages.flatMap(turnsOf)),
    ...repeated('call id', messages.flatMap(callIdsOf)),
    ...repeated(
      'tool',
      tools.map((tool) => tool.function.name),
    ),
  ];
}

function fieldProblems(body: WireBody): string[] {
  const problems: string[] = [];
  if (body.max_tokens !== undefined && body.max_completion_tokens !== undefined) {
    problems.push('max_tokens and max_completion_tokens exclude each other');
  }
  if (body.stream_options && !body.stream) problems.push('stream_options needs stream');
  return problems;
}

function orderProblems(messages: readonly WireMessage[]): string[] {
  const problems: string[] = [];
  const late = messages.slice(1).some(({ role }) => role === 'system');
  if (late) problems.push('a system message does not lead, or there are several');
  const last = messages.at(-1)?.role;
  if (last !== 'user' && last !== 'tool') problems.push(`the last message is of role ${last}`);
  return problems;
}

function turnsOf(message: WireMessage, index: number): Turn[] {
  switch (message.role) {
    case 'assistant':
      return [
        { other: `message ${index}` },
        ...(message.tool_calls ?? []).map(({ id }) => ({ call: id })),
      ];
    case 'tool':
      return [{ result: message.tool_call_id }];
    default:
      return [{ other: `message ${index}` }];
  }
}

const callIdsOf = (message: WireMessage): string[] =>
  message.role === 'assistant' ? (message.tool_calls ?? []).map(({ id }) => id) : [];
