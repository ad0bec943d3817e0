import type { AssistantMessage, Message, ToolCall, ToolMessage } from '@netaclaw/contracts';
import type { OfferedTool } from './port.js';
import { shortenResults } from './shorten_results.js';
import { atMostTokens, type TokenMeter } from './tokens.js';

const LOST_RESULT =
  'No result: the run was interrupted before this call ended. It may or may not have taken effect.';
const RESULT_OF_LOST_PROCESS =
  'No result: the server stopped before the result of this call was stored. It may or may not have taken effect.';

/** Makes what stands for a result that never came. */
type Fill = (call: ToolCall) => ToolMessage;

/**
 * Makes stored history fit to be sent: system messages go, every call has exactly one result right
 * behind it (`fill` stands for a lost one, a second or an orphan is dropped). Returns the same objects
 * where nothing is wrong.
 */
export function repairHistory(stored: readonly Message[], fill: Fill = lostResult): Message[] {
  const messages = stored.filter(({ role }) => role !== 'system');
  const repaired: Message[] = [];
  for (let at = 0; at < messages.length; at += 1) {
    const message = messages[at];
    if (message === undefined || message.role === 'tool') continue;
    repaired.push(message);
    if (message.role === 'assistant' && message.toolCalls?.length) {
      const following = messagesFrom(messages, at + 1);
      repaired.push(...resultsOf(message, following, fill));
    }
  }
  return repaired;
}

/** The rest of a conversation, without a copy of it for every call. */
function* messagesFrom(messages: readonly Message[], from: number): Generator<Message> {
  for (let at = from; at < messages.length; at += 1) {
    const message = messages[at];
    if (message) yield message;
  }
}

/** One result per call, in call order, from the tool messages that follow; of calls with one id, each its own. */
function resultsOf(message: AssistantMessage, following: Iterable<Message>, fill: Fill): Message[] {
  const found = new Map<string, ToolMessage[]>();
  for (const next of following) {
    if (next.role !== 'tool') break;
    found.set(next.toolCallId, [...(found.get(next.toolCallId) ?? []), next]);
  }
  return (message.toolCalls ?? []).map((call) => found.get(call.id)?.shift() ?? fill(call));
}

/** What stands for a result that never came. */
export const lostResult = ({ id, name }: ToolCall): ToolMessage => ({
  role: 'tool',
  toolCallId: id,
  name,
  content: LOST_RESULT,
  status: 'cancelled',
});

/** What stands for the result of a call that went with its process: nobody cancelled it. */
export const lostWithProcess = (call: ToolCall): ToolMessage => ({
  ...lostResult(call),
  content: RESULT_OF_LOST_PROCESS,
  status: 'error',
});

/** How much of a conversation a model is shown. */
export interface ContextBudget {
  maxMessages: number;
  /** Tokens; null: no limit is known. */
  maxTokens: number | null;
  meter: TokenMeter;
}

/** What is left for the conversation beside what is always sent. */
export function budgetBeside(
  budget: ContextBudget,
  always: readonly Message[],
  tools: readonly OfferedTool[],
): ContextBudget {
  const { maxTokens, meter } = budget;
  if (maxTokens === null) return budget;
  const ofTools = tools.reduce((sum, tool) => sum + meter.ofTool(tool), 0);
  return { ...budget, maxTokens: Math.max(0, maxTokens - ofTools - tokensOf(always, meter)) };
}

/**
 * The newest part of a repaired conversation that fits. It is cut between groups only, so that a call
 * keeps its results, and it begins with a user message: the one of the turn that the cut goes through.
 * When not even the newest group fits, its longest tool results are shortened.
 */
export function fitContext(
  messages: readonly Message[],
  budget: ContextBudget,
): readonly Message[] {
  if (fits(messages, budget)) return messages;
  const groups = groupsOf(messages);
  const start = firstGroupThatFits(groups, budget);
  const kept = [...(usersInFront(groups)[start] ?? []), ...groups.slice(start).flat()];
  if (start < groups.length - 1) return kept;
  const shortened = shortenResults(kept, (shown) => hasRoomFor(shown, budget));
  const same =
    shortened.length === messages.length && shortened.every((m, at) => m === messages[at]);
  return same ? messages : shortened;
}

function fits(messages: readonly Message[], budget: ContextBudget): boolean {
  return messages.length <= budget.maxMessages && hasRoomFor(messages, budget);
}

function hasRoomFor(messages: readonly Message[], { maxTokens, meter }: ContextBudget): boolean {
  if (maxTokens === null) return true;
  const atMost = messages.reduce((sum, message) => sum + atMostTokens(message), 0);
  return atMost <= maxTokens || tokensOf(messages, meter) <= maxTokens;
}

export const tokensOf = (messages: readonly Message[], meter: TokenMeter): number =>
  messages.reduce((sum, message) => sum + meter.ofMessage(message), 0);

/** A group is a message, or an assistant's calls with their results. */
function groupsOf(messages: readonly Message[]): Message[][] {
  const groups: Message[][] = [];
  for (const message of messages) {
    const last = groups.at(-1);
    if (message.role === 'tool' && last) last.push(message);
    else groups.push([message]);
  }
  return groups;
}

/**
 * Counts with the user message that has to stand in front of a cut through its turn. The newest group
 * is always kept, however large it is.
 */
function firstGroupThatFits(groups: readonly Message[][], budget: ContextBudget): number {
  const inFront = usersInFront(groups);
  const maxTokens = budget.maxTokens ?? Number.POSITIVE_INFINITY;
  let messages = 0;
  let tokens = 0;
  let start = Math.max(0, groups.length - 1);
  for (let at = start; at >= 0; at -= 1) {
    const group = groups[at] ?? [];
    const user = inFront[at] ?? [];
    messages += group.length;
    tokens += tokensOf(group, budget.meter);
    const isOver =
      messages + user.length > budget.maxMessages ||
      tokens + tokensOf(user, budget.meter) > maxTokens;
    if (isOver) break;
    start = at;
  }
  return start;
}

/** For every group the user message that a cut before it puts in front; empty where it is one itself. */
function usersInFront(groups: readonly Message[][]): Message[][] {
  let user: Message[] = [];
  return groups.map((group) => {
    if (group[0]?.role !== 'user') return user;
    user = group;
    return [];
  });
}
