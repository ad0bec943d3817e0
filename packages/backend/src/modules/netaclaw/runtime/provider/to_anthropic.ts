import type { Message } from '@netaclaw/contracts';
import type { ModelOptions, ModelRequest, OfferedTool } from '../port.js';
import { anthropicParams } from './anthropic_params.js';
import { messageBlocks, sealedBlocks, systemBlocks } from './anthropic_blocks.js';
import { planCallIds, type CallIdRule } from './call_ids.js';
import { legalName, objectSchema } from './common_wire.js';
import { jsonOnce } from './json_once.js';

/** How one channel's requests to `/v1/messages` look, apart from messages and tools. */
export interface AnthropicStyle {
  options: ModelOptions;
  acceptsImages: boolean;
}

const CALL_ID_RULE: CallIdRule = { legal: /^[A-Za-z0-9_-]{1,64}$/, maxLength: 64 };
/** Said where a conversation does not begin or end with a user turn, as it must. */
const GO_ON = '{"type":"text","text":"Continue."}';
const toolJson = new WeakMap<OfferedTool, string>();

/** A turn as it goes out. Results stand before everything else in it. */
interface Turn {
  role: 'user' | 'assistant';
  results: string[];
  blocks: string[];
  /** It begins with the model's own thinking. */
  beginsSealed: boolean;
}

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
    const turns = turnsOf(messages, start, style);
    return [
      mayThink(turns) ? head : plainHead,
      systemField(messages.slice(0, start)),
      ',"messages":[',
      ...piecesOf(turns),
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

function toolsField(tools: readonly OfferedTool[]): string {
  return `,"tools":[${tools.map((tool) => jsonOnce(toolJson, tool, toolToJson)).join(',')}]`;
}

function toolToJson({ name, description, parameters }: OfferedTool): string {
  return JSON.stringify({ name, description, input_schema: objectSchema(parameters) });
}

/** The tools of earlier calls, by name, none of which may be called now. */
function forbiddenTools(messages: readonly Message[]): string {
  const names = new Set<string>();
  for (const message of messages) {
    if (message.role !== 'assistant' || message.toolCalls === undefined) continue;
    for (const call of message.toolCalls) names.add(legalName(call.name));
  }
  if (names.size === 0) return '';
  const tools = Array.from(names, (name) => ({ name, input_schema: { type: 'object' } }));
  return `,"tools":${JSON.stringify(tools)},"tool_choice":{"type":"none"}`;
}

function turnsOf(messages: readonly Message[], start: number, style: AnthropicStyle): Turn[] {
  const plan = planCallIds(messages, CALL_ID_RULE);
  const turns: Turn[] = [];
  for (let at = start; at < messages.length; at++) {
    const message = messages[at];
    const blocks = message ? messageBlocks(message, plan, style.acceptsImages) : '';
    if (!message || blocks === '') continue;
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const sealed = message.role === 'assistant' ? sealedBlocks(message, style.options.model) : '';
    if (turns.length === 0 && role === 'assistant') turns.push(goOn());
    let turn = turns.at(-1);
    if (turn?.role !== role) {
      turn = { role, results: [], blocks: [], beginsSealed: sealed !== '' };
      turns.push(turn);
    }
    if (sealed !== '') turn.blocks.push(sealed);
    (message.role === 'tool' ? turn.results : turn.blocks).push(blocks);
  }
  if (turns.at(-1)?.role !== 'user') turns.push(goOn());
  return turns;
}

const goOn = (): Turn => ({ role: 'user', results: [], blocks: [GO_ON], beginsSealed: false });

/**
 * Whether a model with a thinking budget can be asked to think: where it goes on from results, the
 * calls must stand behind its own thinking, which those of another model or protocol do not.
 */
function mayThink(turns: readonly Turn[]): boolean {
  const isMidway = (turns.at(-1)?.results.length ?? 0) > 0;
  return !isMidway || turns.at(-2)?.beginsSealed === true;
}

/** A loop over pieces, not one string: see `openAiBodyMaker`. */
function piecesOf(turns: readonly Turn[]): string[] {
  const pieces: string[] = [];
  for (const { role, results, blocks } of turns) {
    const start =
      role === 'user' ? '{"role":"user","content":[' : '{"role":"assistant","content":[';
    pieces.push(pieces.length === 0 ? start : `,${start}`);
    let isFirst = true;
    for (const list of [results, blocks]) {
      for (const block of list) {
        if (!isFirst) pieces.push(',');
        pieces.push(block);
        isFirst = false;
      }
    }
    pieces.push(']}');
  }
  return pieces;
}
