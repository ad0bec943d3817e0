import type { Message, ToolCall, ToolMessage } from '@netaclaw/contracts';
import type { ModelAnswer, ModelRequest } from '../port.js';

const LABEL = 'This is a rehearsal, not a model.';
const RESULT_LENGTH = 200;
const CALL_ID = /^rehearsal_(\d+)$/;

type ScriptedCall = Omit<ToolCall, 'id'>;

/**
 * What the rehearsal answers: the same for the same request, without any model.
 *
 * It follows the newest user message. Each line `CALL <tool> <json>` is a call; a line `THEN` begins
 * the next round. When all rounds are done, or no tools are offered any more, it gives a short account
 * of the results of this turn. Without `CALL` lines it says which tools it sees. A tool that is not
 * offered is called all the same and arguments are passed on as written, so that refusals and
 * mistakes can be rehearsed too.
 */
export function rehearse(request: ModelRequest): ModelAnswer {
  const turn = currentTurn(request);
  const round = turn.rounds[turn.roundsDone];
  if (round && request.tools.length > 0) return answerWithCalls(request, round);
  const isScripted = turn.rounds.length > 0 || turn.results.length > 0;
  return answerWithText(request, isScripted ? account(turn.results) : inventory(request));
}

/** The pieces a streamed text comes in: words, with the space that follows them. */
export function words(text: string): string[] {
  return text.split(/(?<=\s)(?=\S)/);
}

interface Turn {
  rounds: readonly ScriptedCall[][];
  roundsDone: number;
  results: readonly ToolMessage[];
}

function currentTurn({ messages, tools, roundsDone }: ModelRequest): Turn {
  const start = turnStart(messages, tools.length === 0);
  const after = messages.slice(start + 1);
  return {
    rounds: parseScript(textOf(messages[start])),
    roundsDone:
      roundsDone ??
      after.filter((message) => message.role === 'assistant' && message.toolCalls).length,
    results: after.filter((message) => message.role === 'tool'),
  };
}

/**
 * Where the newest user message is. The instruction of a final call may be a user message too: without
 * tools, one that directly follows a tool result is not taken for the beginning of a turn.
 */
function turnStart(messages: readonly Message[], isFinalCall: boolean): number {
  return messages.findLastIndex(
    (message, at) => message.role === 'user' && !(isFinalCall && messages[at - 1]?.role === 'tool'),
  );
}

function textOf(message: Message | undefined): string {
  if (message?.role !== 'user') return '';
  if (typeof message.content === 'string') return message.content;
  return message.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}

function parseScript(text: string): ScriptedCall[][] {
  const rounds: ScriptedCall[][] = [[]];
  for (const line of text.split('\n').map((raw) => raw.trim())) {
    if (line === 'THEN') rounds.push([]);
    const call = /^CALL\s+(\S+)\s*(.*)$/.exec(line);
    if (call?.[1]) rounds.at(-1)?.push({ name: call[1], arguments: call[2] || '{}' });
  }
  return rounds.filter((round) => round.length > 0);
}

function answerWithCalls(request: ModelRequest, round: readonly ScriptedCall[]): ModelAnswer {
  const first = nextCallNumber(request.messages);
  const toolCalls = round.map((call, at) => ({ id: `rehearsal_${first + at}`, ...call }));
  return {
    message: { role: 'assistant', content: '', toolCalls },
    stopReason: 'tool_calls',
    usage: estimateUsage(request, JSON.stringify(toolCalls)),
  };
}

/** Above every number in sight, so that ids stay unique where older messages have been cut off. */
function nextCallNumber(messages: readonly Message[]): number {
  const numbers = messages
    .flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []))
    .map((call) => Number(CALL_ID.exec(call.id)?.[1] ?? 0));
  return numbers.reduce((most, number) => Math.max(most, number), 0) + 1;
}

function answerWithText(request: ModelRequest, content: string): ModelAnswer {
  return {
    message: { role: 'assistant', content },
    stopReason: 'stop',
    usage: estimateUsage(request, content),
  };
}

function account(results: readonly ToolMessage[]): string {
  if (results.length === 0) return `${LABEL} No tool was called.`;
  const count = results.length === 1 ? '1 tool call' : `${results.length} tool calls`;
  const lines = results.map(
    (result) => `- ${result.name}: ${result.status}: ${shorten(result.content)}`,
  );
  return [`${LABEL} I made ${count}:`, ...lines].join('\n');
}

function inventory({ tools }: ModelRequest): string {
  if (tools.length === 0) return `${LABEL} I see no tools.`;
  const names = tools.map((tool) => tool.name).toSorted();
  const count = names.length === 1 ? '1 tool' : `${names.length} tools`;
  return `${LABEL} I see ${count}: ${names.join(', ')}.\nA line \`CALL <tool> <json>\` makes me call one.`;
}

function shorten(text: string): string {
  return text.length <= RESULT_LENGTH ? text : `${text.slice(0, RESULT_LENGTH)}…`;
}

/** About four characters a token; no model is there to count. */
function estimateUsage({ messages }: ModelRequest, output: string) {
  const characters = messages.reduce((sum, message) => sum + message.content.length, 0);
  const inputTokens = Math.ceil(characters / 4);
  const outputTokens = Math.ceil(output.length / 4);
  return { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens };
}
