import type {
  AssistantMessage,
  Message,
  Protocol,
  ToolMessage,
  UserMessage,
} from '@netaclaw/contracts';
import { argumentsText, functionName, resultText, systemNote } from './common_wire.js';
import { jsonOnce } from './json_once.js';
import { ownReasoning } from './sealed_reasoning.js';
import { sendableParts } from './user_parts.js';

/** The name under which this protocol's sealed reasoning is kept. */
export const ANTHROPIC_MESSAGES = 'anthropic_messages' satisfies Protocol;

const UNKNOWN_IMAGE = '[An image in a format that this model cannot read was attached here.]';
const imageTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** JSON of messages' blocks. Two sets: images sent, or not. */
const systemJson = new WeakMap<Message, string>();
const sealedJson = new WeakMap<Message, string>();
const blockJson = {
  withImages: new WeakMap<Message, string>(),
  withoutImages: new WeakMap<Message, string>(),
};

/** A leading system message as JSON of one text block; empty when it is blank. */
export function systemBlocks(message: Message): string {
  return jsonOnce(systemJson, message, ({ content }) =>
    typeof content === 'string' ? jsonOf(textBlocks(content)) : '',
  );
}

/**
 * A message's blocks as JSON, with commas between; empty when there is nothing in it to send. `renamed` are
 * the ids of its calls, or of its result, where its own cannot go out.
 */
export function messageBlocks(
  message: Message,
  renamed: readonly string[] | undefined,
  acceptsImages: boolean,
): string {
  if (renamed) return jsonOf(toBlocks(message, renamed, acceptsImages));
  const cache = acceptsImages ? blockJson.withImages : blockJson.withoutImages;
  return jsonOnce(cache, message, () => jsonOf(toBlocks(message, null, acceptsImages)));
}

const jsonOf = (blocks: readonly object[]): string => JSON.stringify(blocks).slice(1, -1);

function toBlocks(message: Message, ids: readonly string[] | null, acceptsImages: boolean) {
  switch (message.role) {
    case 'system':
      return message.content.trim() === '' ? [] : textBlocks(systemNote(message.content));
    case 'user':
      return userBlocks(message, acceptsImages);
    case 'assistant':
      return assistantBlocks(message, ids);
    case 'tool':
      return [resultBlock(message, ids?.[0] ?? message.toolCallId)];
    default:
      return message satisfies never;
  }
}

function textBlocks(text: string) {
  return text.trim() === '' ? [] : [{ type: 'text', text } as const];
}

function userBlocks(message: UserMessage, acceptsImages: boolean) {
  return sendableParts(message, acceptsImages).map((part) =>
    part.type === 'text' ? ({ type: 'text', text: part.text } as const) : imageBlock(part.url),
  );
}

/** An image as data or by its address; an image in another format becomes a line of text. */
function imageBlock(url: string) {
  if (/^https?:/i.test(url)) return { type: 'image', source: { type: 'url', url } } as const;
  const comma = url.indexOf(',');
  const named = /^data:([^;]+);base64$/i.exec(url.slice(0, comma))?.[1]?.toLowerCase() ?? '';
  const media_type = named === 'image/jpg' ? 'image/jpeg' : named;
  if (!imageTypes.has(media_type)) return { type: 'text', text: UNKNOWN_IMAGE } as const;
  const source = { type: 'base64', media_type, data: url.slice(comma + 1) } as const;
  return { type: 'image', source } as const;
}

function assistantBlocks(
  { content, toolCalls = [] }: AssistantMessage,
  ids: readonly string[] | null,
) {
  const calls = toolCalls.map((call, at) => {
    const input: unknown = JSON.parse(argumentsText(call.arguments));
    return {
      type: 'tool_use',
      id: ids?.[at] ?? call.id,
      name: functionName(call.name),
      input,
    } as const;
  });
  return [...textBlocks(content), ...calls];
}

function resultBlock({ content, status }: ToolMessage, id: string) {
  const result = { type: 'tool_result', tool_use_id: id, content: resultText(content) } as const;
  return status === 'ok' ? result : ({ ...result, is_error: true } as const);
}

/**
 * A message's sealed reasoning as JSON, with commas between the blocks; empty when it is another
 * model's. Only beside calls: there the provider wants it back, elsewhere it does without.
 */
export function sealedBlocks(message: AssistantMessage, model: string): string {
  const items = ownReasoning(message, { protocol: ANTHROPIC_MESSAGES, model });
  return items.length === 0 ? '' : jsonOnce(sealedJson, message, () => jsonOf(items));
}
