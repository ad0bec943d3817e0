import type { Message } from '@netaclaw/contracts';
import type { ModelOptions, ModelRequest } from '../port.js';
import { anthropicParams } from './anthropic_params.js';
import { messageBlocks, sealedBlocks, systemBlocks } from './anthropic_blocks.js';
import { AnthropicTurnWriter } from './anthropic_turns.js';
import { planCallIds, type CallIdRule } from './call_ids.js';
import { functionName } from './common_wire.js';
import { fitAnthropicSchema } from './tool_fit.js';
import { toolsFieldMaker } from './tools_field.js';

/** How one channel's requests to `/v1/messages` look, apart from messages and tools. */
export interface AnthropicStyle {
  options: ModelOptions;
  acceptsImages: boolean;
}

const CALL_ID_RULE: CallIdRule = { legal: /^[A-Za-z0-9_-]{1,64}$/, maxLength: 64 };
const toolsField = toolsFieldMaker(fitAnthropicSchema, ({ name, description }, schema) => ({
  name,
  description,
  input_schema: schema,
}));

/**
 * Makes the function that turns a request into the pieces of a body for `/v1/messages`: JSON text once
 * they are joined. Tools and messages are serialised once per object: a changed message must be a new
 * object.
 *
 * - Leading system messages become `system`; a later one becomes a user's text marked `[System note]`.
 * - User and assistant turns alternate: neighbours of one role are one turn. The results of one
 *   answer's calls are in one user turn, before its other blocks.
 * - The first turn and the last are a user's; an answer is never begun for the model.
 * - Blank text is left out; an empty result says so; a result that is no success is marked.
 * - A call's input is always an object.
 * - Where no tools are offered but the conversation has calls, their names are declared and their use
 *   is forbidden: calls without declared tools are refused.
 * - Sealed reasoning goes in front of the calls it led to, if it is this model's own.
 */
export function anthropicBodyMaker(style: AnthropicStyle): (request: ModelRequest) => string[] {
  const { fields, withoutThinking } = anthropicParams(style.options);
  const head = openObject(fields);
  const plainHead = withoutThinking === null ? head : openObject(withoutThinking);
  return ({ messages, tools, stream }) => {
    const start = firstTurnOf(messages);
    const turns = turnsFrom(start, messages, style);
    const pieces = turns.finish();
    return [
      turns.mayThink ? head : plainHead,
      systemField(messages.slice(0, start)),
      ',"messages":[',
      ...pieces,
      ']',
      tools.length > 0 ? toolsField(tools) : forbiddenTools(messages),
      stream ? ',"stream":true}' : '}',
    ];
  };
}

const openObject = (fields: object): string => JSON.stringify(fields).slice(0, -1);

function firstTurnOf(messages: readonly Message[]): number {
  const start = messages.findIndex((message) => message.role !== 'system');
  return start < 0 ? messages.length : start;
}

function systemField(messages: readonly Message[]): string {
  const blocks = messages.map((message) => systemBlocks(message)).filter((block) => block !== '');
  return blocks.length === 0 ? '' : `,"system":[${blocks.join(',')}]`;
}

/** The tools of earlier calls, by name, none of which may be called now. */
function forbiddenTools(messages: readonly Message[]): string {
  const names = new Set<string>();
  for (const message of messages) {
    if (message.role !== 'assistant' || message.toolCalls === undefined) continue;
    for (const call of message.toolCalls) names.add(functionName(call.name));
  }
  if (names.size === 0) return '';
  const tools = Array.from(names, (name) => ({ name, input_schema: { type: 'object' } }));
  return `,"tools":${JSON.stringify(tools)},"tool_choice":{"type":"none"}`;
}

function turnsFrom(
  start: number,
  messages: readonly Message[],
  { options, acceptsImages }: AnthropicStyle,
): AnthropicTurnWriter {
  const plan = planCallIds(messages, CALL_ID_RULE);
  const turns = new AnthropicTurnWriter();
  for (let at = start; at < messages.length; at++) {
    const message = messages[at];
    const blocks = message ? messageBlocks(message, plan.get(at), acceptsImages) : '';
    if (!message || blocks === '') continue;
    if (message.role === 'tool') {
      turns.addResult(blocks);
    } else if (message.role === 'assistant') {
      const sealed = sealedBlocks(message, options.model);
      if (sealed !== '') turns.addSealed(sealed);
      turns.add('assistant', blocks);
    } else {
      turns.add('user', blocks);
    }
  }
  return turns;
}
