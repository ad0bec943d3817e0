import type { AssistantMessage, Message, ToolCall, UserMessage } from '@netaclaw/contracts';
import type { ModelOptions, ModelRequest, OfferedTool } from '../port.js';
import { planCallIds, type CallIdPlan, type CallIdRule } from './call_ids.js';
import { legalName, objectSchema, objectText, resultText, systemNote } from './common_wire.js';
import { sendableParts } from './user_parts.js';

/** How one channel's requests to `/chat/completions` look, apart from messages and tools. */
export interface OpenAiStyle {
  options: ModelOptions;
  acceptsImages: boolean;
  /** OpenAI's own newer models know only the second; most other servers know only the first. */
  limitField: 'max_tokens' | 'max_completion_tokens';
}

/**
 * OpenAI refuses tool-call ids of more than 40 characters. Their form is free, and some servers want
 * theirs back to the letter (`functions.name:0`), so nothing else is touched.
 */
const CALL_ID_RULE: CallIdRule = { legal: /^[\x21-\x7e]{1,40}$/, maxLength: 40 };
/** Added when a conversation does not end with a user or tool turn, which many servers refuse. */
const CONTINUE = '{"role":"user","content":"Continue."}';

/** Wire JSON of tools and messages, kept as long as the objects live. Two sets: images sent, or not. */
const toolJson = new WeakMap<OfferedTool, string>();
const messageJson = {
  withImages: new WeakMap<Message, string>(),
  withoutImages: new WeakMap<Message, string>(),
};

/**
 * Makes the function that turns a request into the pieces of a body for `/chat/completions`: JSON text
 * once they are joined. They are handed out in pieces because joining a long history into one string
 * costs many times what writing the pieces does. Tools and messages are serialised once per object: a
 * changed message must be a new object.
 *
 * - Leading system messages become one; a later one becomes a user message marked `[System note]`.
 * - Blank messages and blank parts are left out; an empty tool result says so.
 * - An assistant message always has a string as `content`, empty beside calls (servers differ on null).
 * - A call's arguments are always a JSON object: empty becomes `{}`, and text that is no object is
 *   wrapped, because servers that parse the history refuse the whole conversation otherwise.
 * - Reasoning is not sent back.
 */
export function openAiBodyMaker(style: OpenAiStyle): (request: ModelRequest) => string[] {
  const head = `${bodyHead(style).slice(0, -1)},"messages":[`;
  return (request) => [
    head,
    ...withCommas(openAiMessages(request.messages, style.acceptsImages)),
    ']',
    toolsField(request.tools),
    request.stream ? ',"stream":true,"stream_options":{"include_usage":true}}' : '}',
  ];
}

/** A loop: `flatMap` costs twenty times as much here, and a history has a thousand messages. */
function withCommas(items: readonly string[]): string[] {
  const pieces: string[] = [];
  for (const item of items) pieces.push(pieces.length === 0 ? '' : ',', item);
  return pieces;
}

function toolsField(tools: readonly OfferedTool[]): string {
  return tools.length === 0 ? '' : `,"tools":[${tools.map(toolToJson).join(',')}]`;
}

function bodyHead({ options, limitField }: OpenAiStyle): string {
  const { params } = options;
  return JSON.stringify({
    model: options.model,
    [limitField]: options.maxOutputTokens ?? undefined,
    temperature: params.temperature,
    top_p: params.topP,
    frequency_penalty: params.frequencyPenalty,
    presence_penalty: params.presencePenalty,
    seed: params.seed,
    reasoning_effort: params.reasoningEffort,
  });
}

function toolToJson(tool: OfferedTool): string {
  const known = toolJson.get(tool);
  if (known !== undefined) return known;
  const { name, description } = tool;
  const parameters = objectSchema(tool.parameters);
  const json = JSON.stringify({ type: 'function', function: { name, description, parameters } });
  toolJson.set(tool, json);
  return json;
}

/** The messages' wire JSON, one text each, in order. */
function openAiMessages(messages: readonly Message[], acceptsImages: boolean): string[] {
  const start = messages.findIndex((message) => message.role !== 'system');
  const leading = start < 0 ? messages : messages.slice(0, start);
  const plan = planCallIds(messages, CALL_ID_RULE);
  const wire = leadingSystem(leading);
  let endsWithAnswer = true;
  for (let at = leading.length; at < messages.length; at++) {
    const message = messages[at];
    const json = message && messageToJson(message, plan, acceptsImages);
    if (!json) continue;
    wire.push(json);
    endsWithAnswer = message.role === 'assistant';
  }
  if (endsWithAnswer) wire.push(CONTINUE);
  return wire;
}

function leadingSystem(messages: readonly Message[]): string[] {
  const texts = messages.map((message) => textOf(message)).filter((text) => text.trim() !== '');
  return texts.length === 0
    ? []
    : [JSON.stringify({ role: 'system', content: texts.join('\n\n') })];
}

function textOf(message: Message): string {
  return typeof message.content === 'string' ? message.content : '';
}

/** A message's wire JSON; empty when there is nothing in it to send. */
function messageToJson(message: Message, plan: CallIdPlan, acceptsImages: boolean): string {
  const renamed = plan.get(message);
  if (renamed) return JSON.stringify(toWire(message, renamed, acceptsImages));
  const cache = acceptsImages ? messageJson.withImages : messageJson.withoutImages;
  const known = cache.get(message);
  if (known !== undefined) return known;
  const wire = toWire(message, null, acceptsImages);
  const json = wire ? JSON.stringify(wire) : '';
  cache.set(message, json);
  return json;
}

function toWire(message: Message, ids: readonly string[] | null, acceptsImages: boolean) {
  switch (message.role) {
    case 'system':
      if (message.content.trim() === '') return null;
      return { role: 'user', content: systemNote(message.content) } as const;
    case 'user':
      return userToWire(message, acceptsImages);
    case 'assistant':
      return assistantToWire(message, ids);
    case 'tool':
      return {
        role: 'tool',
        tool_call_id: ids?.[0] ?? message.toolCallId,
        content: resultText(message.content),
      } as const;
    default:
      return message satisfies never;
  }
}

/** One text stays a string, which every server takes; parts are for images and several texts. */
function userToWire(message: UserMessage, acceptsImages: boolean) {
  const parts = sendableParts(message, acceptsImages);
  if (parts.length === 0) return null;
  if (parts.every((part) => part.type === 'text')) {
    return { role: 'user', content: parts.map((part) => part.text).join('\n\n') } as const;
  }
  const content = parts.map((part) =>
    part.type === 'text'
      ? ({ type: 'text', text: part.text } as const)
      : ({ type: 'image_url', image_url: { url: part.url } } as const),
  );
  return { role: 'user', content } as const;
}

function assistantToWire(message: AssistantMessage, ids: readonly string[] | null) {
  const calls = message.toolCalls ?? [];
  const isBlank = message.content.trim() === '';
  if (calls.length === 0) {
    return isBlank ? null : ({ role: 'assistant', content: message.content } as const);
  }
  return {
    role: 'assistant',
    content: isBlank ? '' : message.content,
    tool_calls: calls.map((call, at) => callToWire(call, ids?.[at] ?? call.id)),
  } as const;
}

function callToWire(call: ToolCall, id: string) {
  const fields = { name: legalName(call.name), arguments: objectText(call.arguments) };
  return { id, type: 'function', function: fields } as const;
}
