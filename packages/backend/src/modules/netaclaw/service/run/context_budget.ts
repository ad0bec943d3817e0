import type { Agent } from '@netaclaw/contracts';
import type { ContextBudget } from '../../runtime/history.js';
import type { ResolvedChannel } from '../channel/model_channel.js';
import { requestTokensOf } from '../channel/request_tokens.js';

const DEFAULT_CONTEXT_MESSAGES = 200;
/** How many messages of a session an agent's model is shown. */
export const maxMessagesOf = ({ limits }: Pick<Agent, 'limits'>): number =>
  limits.maxContextMessages ?? DEFAULT_CONTEXT_MESSAGES;

/** What an agent's model is shown at most: its window less the room for the answer. */
export function contextBudgetOf(
  agent: Pick<Agent, 'limits'>,
  channel: ResolvedChannel,
): ContextBudget {
  const maxTokens = requestTokensOf(channel);
  return { maxMessages: maxMessagesOf(agent), maxTokens, meter: channel.meter };
}
