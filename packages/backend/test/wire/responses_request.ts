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
 * The form of a request to `/responses` by a client that keeps its own history, after OpenAI's
 * reference of that endpoint, its published types and its guide to reasoning.
 */
const callIdSchema = z.string().min(1).max(64);
const itemId = (prefix: string) =>
  z
    .string()
    .regex(new RegExp(`^${prefix}_[A-Za-z0-9_-]+$`), `not an id of the kind ${prefix}_`)
    .max(64);

const inputText = z.strictObject({ type: z.literal('input_text'), text: spokenText });
const inputImage = z.strictObject({
  type: z.literal('input_image'),
  detail: z.enum(['auto', 'low', 'high', 'original']),
  image_url: imageUrlSchema,
});
const userSchema = z.strictObject({
  type: z.literal('message'),
  role: z.literal('user'),
  content: z.union([spokenText, z.array(z.union([inputText, inputImage])).min(1)]),
});
const outputText = z.strictObject({
  type: z.literal('output_text'),
  text: spokenText,
  annotations: z.array(z.unknown()).max(0),
});
const assistantSchema = z.strictObject({
  type: z.literal('message'),
  id: itemId('msg'),
  role: z.literal('assistant'),
  status: z.literal('completed'),
  content: z.array(outputText).min(1),
});
const callSchema = z.strictObject({
  type: z.literal('function_call'),
  id: itemId('fc').optional(),
  call_id: callIdSchema,
  name: functionNameSchema,
  arguments: objectTextSchema,
});
const resultSchema = z.strictObject({
  type: z.literal('function_call_output'),
  call_id: callIdSchema,
  output: spokenText,
});
const reasoningSchema = z.strictObject({
  type: z.literal('reasoning'),
  id: itemId('rs'),
  summary: z.array(z.strictObject({ type: z.literal('summary_text'), text: z.string() })),
  encrypted_content: z.string().min(1),
});
const itemSchema = z.union([
  userSchema,
  assistantSchema,
  callSchema,
  resultSchema,
  reasoningSchema,
]);
type WireItem = z.infer<typeof itemSchema>;

const bodySchema = z.strictObject({
  model: z.string().min(1),
  /** Nothing is stored there, so no earlier response can be named. */
  store: z.literal(false),
  instructions: spokenText.optional(),
  input: z.array(itemSchema).min(1),
  tools: z
    .array(
      z.strictObject({
        type: z.literal('function'),
        name: functionNameSchema,
        description: z.string(),
        parameters: parametersSchema,
        /** Silence means strict here. */
        strict: z.literal(false),
      }),
    )
    .min(1)
    .max(128)
    .optional(),
  max_output_tokens: z.int().min(16).optional(),
  temperature: z.number().min(0).max(2).optional(),
  top_p: z.number().min(0).max(1).optional(),
  reasoning: z
    .strictObject({
      effort: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh']),
      summary: z.enum(['auto', 'concise', 'detailed']).optional(),
    })
    .optional(),
  include: z.array(z.literal('reasoning.encrypted_content')).min(1).optional(),
  stream: z.boolean().optional(),
});

/** What OpenAI would refuse about a parsed body for `/responses`; empty when it is good. */
export function problemsOfResponsesRequest(body: unknown): string[] {
  const parsed = bodySchema.safeParse(body);
  if (!parsed.success) return schemaProblems(parsed.error);
  const { input, tools = [] } = parsed.data;
  return [
    ...pairingProblems(input.flatMap(turnsOf)),
    ...reasoningProblems(input),
    ...endProblems(input.at(-1)),
    ...repeated(
      'call id',
      input.flatMap((item) => (item.type === 'function_call' ? [item.call_id] : [])),
    ),
    ...repeated(
      'item id',
      input.flatMap((item) => ('id' in item && item.id ? [item.id] : [])),
    ),
    ...repeated(
      'tool',
      tools.map(({ name }) => name),
    ),
  ];
}

/** Reasoning belongs to the answer it led to, which therefore comes right behind it. */
function reasoningProblems(input: readonly WireItem[]): string[] {
  return input.flatMap((item, index) => {
    if (item.type !== 'reasoning') return [];
    const next = input[index + 1];
    return next && isAnswer(next) ? [] : [`reasoning ${item.id} is not followed by its answer`];
  });
}

const isAnswer = (item: WireItem): boolean =>
  item.type === 'message' ? item.role === 'assistant' : item.type !== 'function_call_output';

function endProblems(last: WireItem | undefined): string[] {
  return last && !isAnswer(last) ? [] : ['the input ends with what the model said'];
}

function turnsOf(item: WireItem, index: number): Turn[] {
  switch (item.type) {
    case 'function_call':
      return [{ call: item.call_id }];
    case 'function_call_output':
      return [{ result: item.call_id }];
    case 'message':
    case 'reasoning':
      return [{ other: `item ${index}` }];
    default:
      return item satisfies never;
  }
}
