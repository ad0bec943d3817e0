import type { Agent } from '@netaclaw/contracts';
import type { ContextBudget } from '../../runtime/history.js';
import type { ResolvedChannel } from '../channel/model_channel.js';

/** Tokens kept free for the answer when a channel does not say how long one may be. */
const DEFAULT_OUTPUT_TOKENS = 4096;
const DEFAULT_CONTEXT_MESSAGES = 200;
/** How many messages of a session an agent's model is shown. */
export const maxMessagesOf = ({ limits }: Pick<Agent, 'limits'>): number =>
  limits.maxContextMessages ?? DEFAULT_CONTEXT_MESSAGES;

/** What an agent's model is shown at most: its window less the room for the answer. */
export function contextBudgetOf(
  agent: Pick<Agent, 'limits'>,
  { contextWindow, maxOutputTokens, meter }: ResolvedChannel,
): ContextBudget {
  const maxMessages = maxMessagesOf(agent);
  if (contextWindow === null) return { maxMessages, maxTokens: null, meter };
  const forAnswer = maxOutputTokens ?? Math.min(DEFAULT_OUTPUT_TOKENS, contextWindow / 4);
  return { maxMessages, maxTokens: Math.max(0, Math.floor(contextWindow - forAnswer)), meter };
}
