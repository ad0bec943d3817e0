import { z } from 'zod';

/** A call a model asks for. `arguments` is JSON text, as the model wrote it. */
export const toolCallSchema = z.object({
  id: z.string(),
  name: z.string(),
  arguments: z.string(),
});
export type ToolCall = z.infer<typeof toolCallSchema>;

/** How a tool call ended. `refused`: the name was not in the resolved set, so nothing ran. */
export const toolStatusSchema = z
  .enum(['ok', 'error', 'refused', 'cancelled', 'timeout'])
  .meta({ id: 'ToolStatus' });
export type ToolStatus = z.infer<typeof toolStatusSchema>;

/** A piece of a user's message. An image has an address or the id of an uploaded file. */
export const partSchema = z
  .union([
    z.strictObject({ type: z.literal('text'), text: z.string().max(500_000) }),
    z.strictObject({ type: z.literal('image'), url: z.url().max(4000) }),
    z.strictObject({ type: z.literal('image'), fileId: z.uuid() }),
    z.strictObject({ type: z.literal('file'), fileId: z.uuid() }),
  ])
  .meta({ id: 'Part' });
export type Part = z.infer<typeof partSchema>;

export const usageSchema = z
  .object({ inputTokens: z.int(), outputTokens: z.int(), totalTokens: z.int() })
  .meta({ id: 'Usage' });
export type Usage = z.infer<typeof usageSchema>;

/**
 * Reasoning as its provider wants it back: signed, encrypted, or in a field of its own. Only the same
 * model behind the same protocol can take it; for all others it is left out.
 */
export const sealedReasoningSchema = z.object({
  protocol: z.string(),
  model: z.string(),
  items: z.array(z.record(z.string(), z.unknown())),
});
export type SealedReasoning = z.infer<typeof sealedReasoningSchema>;

const systemMessageSchema = z.object({ role: z.literal('system'), content: z.string() });
const userMessageSchema = z.object({
  role: z.literal('user'),
  content: z.union([z.string(), z.array(partSchema)]),
});
const assistantMessageSchema = z.object({
  role: z.literal('assistant'),
  /** Always there; empty when the model only called tools. */
  content: z.string(),
  reasoning: z.string().optional(),
  sealedReasoning: sealedReasoningSchema.optional(),
  toolCalls: z.array(toolCallSchema).optional(),
});
const toolMessageSchema = z.object({
  role: z.literal('tool'),
  toolCallId: z.string(),
  name: z.string(),
  content: z.string(),
  status: toolStatusSchema,
});

/** A message in the one form that is used inside and stored; providers' forms are made from it. */
export const messageSchema = z
  .discriminatedUnion('role', [
    systemMessageSchema,
    userMessageSchema,
    assistantMessageSchema,
    toolMessageSchema,
  ])
  .meta({ id: 'Message' });
export type Message = z.infer<typeof messageSchema>;
export type UserMessage = z.infer<typeof userMessageSchema>;
export type AssistantMessage = z.infer<typeof assistantMessageSchema>;
export type ToolMessage = z.infer<typeof toolMessageSchema>;
