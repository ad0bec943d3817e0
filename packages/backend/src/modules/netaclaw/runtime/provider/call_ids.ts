import type { Message } from '@netaclaw/contracts';

/** Which tool-call ids a provider takes. */
export interface CallIdRule {
  /** Matches a legal id as a whole. */
  legal: RegExp;
  maxLength: number;
}

/**
 * Ids as they go out, by the places of the messages whose own ids cannot: one per call, or one for a result.
 * Places, because one message object may stand at two of them.
 */
export type CallIdPlan = ReadonlyMap<number, readonly string[]>;

/**
 * Keeps tool-call ids legal for a provider and unique in the conversation; a call and its result are
 * renamed alike. Results belong to the newest call of their id that has none yet. Messages that need
 * no change are not in the plan, so that what is cached for them stays good. The same conversation
 * gets the same ids each time, as a provider's prompt cache wishes.
 */
export function planCallIds(messages: readonly Message[], rule: CallIdRule): CallIdPlan {
  const plan = new Map<number, readonly string[]>();
  const taken = new Set<string>();
  const open = new Map<string, string[]>();
  for (const [place, message] of messages.entries()) {
    const ids = idsOf(message);
    if (ids.length === 0) continue;
    const wireIds = message.role === 'tool' ? ids.map((id) => takeOpen(id, open)) : [];
    if (message.role !== 'tool') {
      open.clear();
      for (const id of ids) wireIds.push(openCall(id, { taken, open, rule }));
    }
    if (wireIds.some((id, at) => id !== ids[at])) plan.set(place, wireIds);
  }
  return plan;
}

interface Conversation {
  taken: Set<string>;
  open: Map<string, string[]>;
  rule: CallIdRule;
}

function idsOf(message: Message): readonly string[] {
  if (message.role === 'tool') return [message.toolCallId];
  if (message.role !== 'assistant') return [];
  return message.toolCalls?.map((call) => call.id) ?? [];
}

function openCall(id: string, { taken, open, rule }: Conversation): string {
  const wireId = rule.legal.test(id) && !taken.has(id) ? id : freshId(id, taken, rule);
  taken.add(wireId);
  open.set(id, [...(open.get(id) ?? []), wireId]);
  return wireId;
}

function takeOpen(id: string, open: Map<string, string[]>): string {
  const waiting = open.get(id);
  return waiting?.shift() ?? id;
}

function freshId(id: string, taken: ReadonlySet<string>, rule: CallIdRule): string {
  const base = id.replaceAll(/[^A-Za-z0-9_-]/g, '_') || 'call';
  const plain = base.slice(0, rule.maxLength);
  if (!taken.has(plain)) return plain;
  for (let number = 2; ; number++) {
    const suffix = `_${number}`;
    const candidate = base.slice(0, rule.maxLength - suffix.length) + suffix;
    if (!taken.has(candidate)) return candidate;
  }
}
