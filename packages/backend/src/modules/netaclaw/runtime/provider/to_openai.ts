import type { AssistantMessage, Message, ToolCall, UserMessage } from '@netaclaw/contracts';
import type { ModelOptions, ModelRequest } from '../port.js';
import { planCallIds, type CallIdRule } from './call_ids.js';
import { textField } from './json_value.js';
import {
  argumentsText,
  CONTINUE,
  functionName,
  leadingSystem,
  resultText,
  systemNote,
  withCommas,
} from './common_wire.js';
import { ownReasoning } from './sealed_reasoning.js';
import { fitOpenAiSchema } from './tool_fit.js';
import { toolsFieldMaker } from './tools_field.js';
import { sendableParts } from './user_parts.js';

/** As messages keep it beside reasoning that is this protocol's. */
export const OPENAI_CHAT = 'openai_chat';

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
const CONTINUE_JSON = JSON.stringify({ role: 'user', content: CONTINUE });

const toolsField = toolsFieldMaker(fitOpenAiSchema, ({ name, description }, parameters) => ({
  type: 'function',
  function: { name, description, parameters },
}));

/**
 * Makes the function that turns a request into the pieces of a body for `/chat/completions`: JSON text
 * once they are joined. They are handed out in pieces because joining a long history into one string
 * costs many times what writing the pieces does. Tools and messages are serialised once per object, a
 * message once per maker: a changed message must be a new object.
 *
 * - Leading system messages become one; a later one becomes a user message marked `[System note]`.
 * - Blank messages and blank parts are left out; an empty tool result says so.
 * - An assistant message always has a string as `content`, empty beside calls (servers differ on null).
 * - A call's arguments are always a JSON object: empty becomes `{}`, and text that is no object is
 *   wrapped, because servers that parse the history refuse the whole conversation otherwise.
 * - Reasoning is sent back only where the same model asked for tools and named it `reasoning_content`:
 *   DeepSeek in thinking mode refuses a conversation whose calls have lost it.
 */
export function openAiBodyMaker(style: OpenAiStyle): (request: ModelRequest) => string[] {
  const head = `${bodyHead(style).slice(0, -1)},"messages":[`;
  const writer = { style, known: new WeakMap<Message, string>() };
  return (request) => [
    head,
    ...withCommas(openAiMessages(request.messages, writer)),
    ']',
    toolsField(request.tools),
    request.stream ? ',"stream":true,"stream_options":{"include_usage":true}}' : '}',
  ];
}

interface Writer {
  style: OpenAiStyle;
  known: WeakMap<Message, string>;
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

/** The messages' wire JSON, one text each, in order. */
function openAiMessages(messages: readonly Message[], writer: Writer): string[] {
  const { count, text } = leadingSystem(messages);
  const plan = planCallIds(messages, CALL_ID_RULE);
  const wire = text === '' ? [] : [JSON.stringify({ role: 'system', content: text })];
  let endsWithAnswer = true;
  for (let at = count; at < messages.length; at++) {
    const message = messages[at];
    const json = message && messageToJson(message, plan.get(at), writer);
    if (!json) continue;
    wire.push(json);
    endsWithAnswer = message.role === 'assistant';
  }
  if (endsWithAnswer) wire.push(CONTINUE_JSON);
  return wire;
}

/** A message's wire JSON; empty when there is nothing in it to send. */
function messageToJson(
  message: Message,
  renamed: readonly string[] | undefined,
  { style, known }: Writer,
): string {
  if (renamed) return JSON.stringify(toWire(message, renamed, style));
  const before = known.get(message);
  if (before !== undefined) return before;
  const wire = toWire(message, null, style);
  const json = wire ? JSON.stringify(wire) : '';
  known.set(message, json);
  return json;
}

function toWire(message: Message, ids: readonly string[] | null, style: OpenAiStyle) {
  switch (message.role) {
    case 'system':
      if (message.content.trim() === '') return null;
      return { role: 'user', content: systemNote(message.content) } as const;
    case 'user':
      return userToWire(message, style.acceptsImages);
    case 'assistant':
      return assistantToWire(message, ids, style.options.model);
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

function assistantToWire(message: AssistantMessage, ids: readonly string[] | null, model: string) {
  const calls = message.toolCalls ?? [];
  const isBlank = message.content.trim() === '';
  if (calls.length === 0) {
    return isBlank ? null : ({ role: 'assistant', content: message.content } as const);
  }
  const [own] = ownReasoning(message, { protocol: OPENAI_CHAT, model });
  const reasoning = textField(own?.['reasoning_content']);
  return {
    role: 'assistant',
    content: isBlank ? '' : message.content,
    ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
    tool_calls: calls.map((call, at) => callToWire(call, ids?.[at] ?? call.id)),
  } as const;
}

function callToWire(call: ToolCall, id: string) {
  const fields = { name: functionName(call.name), arguments: argumentsText(call.arguments) };
  return { id, type: 'function', function: fields } as const;
}
