import type { AssistantMessage, Message, ToolMessage, UserMessage } from '@netaclaw/contracts';
import type { ModelOptions, ModelRequest } from '../port.js';
import { planCallIds, type CallIdRule } from './call_ids.js';
import type { JsonObject } from './json_value.js';
import {
  argumentsText,
  CONTINUE,
  functionName,
  leadingSystem,
  resultText,
  systemNote,
} from './common_wire.js';
import { ownReasoning } from './sealed_reasoning.js';
import { fitOpenAiSchema } from './tool_fit.js';
import { toolsFieldMaker } from './tools_field.js';
import { sendableParts, type SendablePart } from './user_parts.js';

/** As messages keep it beside reasoning that is this protocol's. */
export const OPENAI_RESPONSES = 'openai_responses';

/** How one channel's requests to `/responses` look, apart from messages and tools. */
export interface ResponsesStyle {
  options: ModelOptions;
  acceptsImages: boolean;
}

/** This protocol refuses a `call_id` of more than 64 characters; its form is free. */
const CALL_ID_RULE: CallIdRule = { legal: /^[\x21-\x7e]{1,64}$/, maxLength: 64 };
/** The form of the ids of items; longer ones, which some proxies give out, are refused. */
const ITEM_ID = /^[A-Za-z0-9_-]{1,64}$/;
/** A smaller limit is refused. */
const LEAST_OUTPUT_TOKENS = 16;

const toolsField = toolsFieldMaker(fitOpenAiSchema, ({ name, description }, parameters) => ({
  type: 'function',
  name,
  description,
  parameters,
  strict: false,
}));

/**
 * Makes the function that turns a request into the pieces of a body for `/responses`: JSON text once
 * they are joined. As in `to_openai.ts`, a history is handed out in pieces, tools are serialised once
 * per object and messages once per maker.
 *
 * - Leading system messages become `instructions`; a later one becomes a user message marked
 *   `[System note]`.
 * - The history is ours: nothing is stored at the provider, no earlier response is named.
 * - What the assistant said is an output message. The protocol wants an id there; it is counted.
 * - Calls are items with their results behind them. They have no item id: a provider would look for
 *   the reasoning that belongs to it, and refuse the call where that is gone.
 * - Sealed reasoning goes back in front of the calls it led to, to the same model only.
 * - Tools say `strict: false`, because silence means strict here and refuses most schemas.
 * - Parameters the protocol does not know (`seed`, penalties) are left out.
 */
export function responsesBodyMaker(style: ResponsesStyle): (request: ModelRequest) => string[] {
  const head = bodyHead(style).slice(0, -1);
  const known = new WeakMap<Message, WireItems>();
  return ({ messages, tools, stream }) => {
    const { count, text } = leadingSystem(messages);
    const pieces = [head, text === '' ? '' : `,"instructions":${JSON.stringify(text)}`];
    pieces.push(',"input":[');
    pushInput(pieces, messages.slice(count), { style, known });
    pieces.push(']', toolsField(tools), stream ? ',"stream":true}' : '}');
    return pieces;
  };
}

function bodyHead({ options: { model, maxOutputTokens, params } }: ResponsesStyle): string {
  const effort = params.reasoningEffort;
  return JSON.stringify({
    model,
    store: false,
    max_output_tokens:
      maxOutputTokens === null ? undefined : Math.max(maxOutputTokens, LEAST_OUTPUT_TOKENS),
    temperature: params.temperature,
    top_p: params.topP,
    // Models that do not reason refuse both.
    reasoning: effort && { effort, summary: 'auto' },
    include: effort && ['reasoning.encrypted_content'],
  });
}

/** A message's items as JSON. `said` is an output message without its beginning, which holds a count. */
interface WireItems {
  front: string;
  said: string;
  calls: string;
}

interface Writer {
  style: ResponsesStyle;
  known: WeakMap<Message, WireItems>;
}

const SAID_HEAD = '{"type":"message","id":"msg_';

function pushInput(pieces: string[], messages: readonly Message[], writer: Writer): void {
  const plan = planCallIds(messages, CALL_ID_RULE);
  let comma = '';
  let said = 0;
  let endsWithAnswer = true;
  const push = (...item: string[]) => {
    pieces.push(comma, ...item);
    comma = ',';
  };
  for (const [at, message] of messages.entries()) {
    const items = itemsOf(message, plan.get(at), writer);
    if (items.front !== '') push(items.front);
    if (items.said !== '') push(SAID_HEAD, String(++said), items.said);
    if (items.calls !== '') push(items.calls);
    if (items !== NOTHING) endsWithAnswer = message.role === 'assistant';
  }
  if (endsWithAnswer) push(JSON.stringify(userItem(CONTINUE)));
}

const NOTHING: WireItems = { front: '', said: '', calls: '' };

function itemsOf(
  message: Message,
  renamed: readonly string[] | undefined,
  { style, known }: Writer,
): WireItems {
  if (renamed) return toItems(message, renamed, style);
  const before = known.get(message);
  if (before) return before;
  const items = toItems(message, null, style);
  known.set(message, items);
  return items;
}

function toItems(
  message: Message,
  ids: readonly string[] | null,
  style: ResponsesStyle,
): WireItems {
  switch (message.role) {
    case 'system':
      return message.content.trim() === '' ? NOTHING : only(userItem(systemNote(message.content)));
    case 'user':
      return userItems(message, style.acceptsImages);
    case 'assistant':
      return assistantItems(message, ids, style.options.model);
    case 'tool':
      return only(resultItem(message, ids?.[0] ?? message.toolCallId));
    default:
      return message satisfies never;
  }
}

const only = (item: object): WireItems => ({ ...NOTHING, front: JSON.stringify(item) });

const userItem = (content: string | readonly object[]) =>
  ({ type: 'message', role: 'user', content }) as const;

/** One text stays a string, which every server takes; parts are for images. */
function userItems(message: UserMessage, acceptsImages: boolean): WireItems {
  const parts = sendableParts(message, acceptsImages);
  if (parts.length === 0) return NOTHING;
  if (parts.every((part) => part.type === 'text')) {
    return only(userItem(parts.map((part) => part.text).join('\n\n')));
  }
  return only(userItem(parts.map(partToWire)));
}

function partToWire(part: SendablePart) {
  return part.type === 'text'
    ? ({ type: 'input_text', text: part.text } as const)
    : ({ type: 'input_image', detail: 'auto', image_url: part.url } as const);
}

const resultItem = ({ content }: ToolMessage, callId: string) =>
  ({ type: 'function_call_output', call_id: callId, output: resultText(content) }) as const;

function assistantItems(
  message: AssistantMessage,
  ids: readonly string[] | null,
  model: string,
): WireItems {
  const { content, toolCalls = [] } = message;
  const isBlank = content.trim() === '';
  if (isBlank && toolCalls.length === 0) return NOTHING;
  const reasoning = ownReasoning(message, { protocol: OPENAI_RESPONSES, model });
  const calls = toolCalls.map((call, at) => ({
    type: 'function_call',
    call_id: ids?.[at] ?? call.id,
    name: functionName(call.name),
    arguments: argumentsText(call.arguments),
  }));
  return {
    front: joined(reasoning.flatMap(reasoningItems)),
    said: isBlank ? '' : saidTail(content),
    calls: joined(calls),
  };
}

const joined = (items: readonly object[]): string =>
  items.map((item) => JSON.stringify(item)).join(',');

/** The rest of an output message, behind the number in its id. */
function saidTail(text: string): string {
  const content = [{ type: 'output_text', text, annotations: [] }];
  const rest = JSON.stringify({ role: 'assistant', status: 'completed', content });
  return `",${rest.slice(1)}`;
}

/** A reasoning item with what may be sent: its status, for one, is refused. None without a legal id. */
function reasoningItems({ id, summary, encrypted_content }: JsonObject): JsonObject[] {
  if (typeof id !== 'string' || !ITEM_ID.test(id)) return [];
  const parts: unknown[] = Array.isArray(summary) ? summary : [];
  return [{ type: 'reasoning', id, summary: parts, encrypted_content }];
}
