import type { AssistantMessage } from '@netaclaw/contracts';
import type { JsonObject } from './json_value.js';

/** Who may have reasoning back. */
export interface ReasoningOwner {
  protocol: string;
  model: string;
}

/** A message's sealed reasoning where it is this model's own and led to calls; else nothing. */
export function ownReasoning(
  { sealedReasoning, toolCalls }: AssistantMessage,
  { protocol, model }: ReasoningOwner,
): readonly JsonObject[] {
  if (!sealedReasoning || !toolCalls?.length) return [];
  const isOwn = sealedReasoning.protocol === protocol && sealedReasoning.model === model;
  return isOwn ? sealedReasoning.items : [];
}

/**
 * The field of a message that keeps sealed reasoning. Only an answer with calls keeps it: providers
 * want it back until the calls have led to an answer.
 */
export function sealed(
  owner: ReasoningOwner,
  items: readonly JsonObject[],
  hasCalls: boolean,
): Pick<AssistantMessage, 'sealedReasoning'> {
  return hasCalls && items.length > 0
    ? { sealedReasoning: { ...owner, items: items.map((item) => ({ ...item })) } }
    : {};
}
