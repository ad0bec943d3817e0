import type { Message } from '@netaclaw/contracts';
import { budgetBeside, fitContext, tokensOf } from './history.js';
import type { ModelRequest } from './port.js';
import type { TokenMeter } from './tokens.js';

/** A request with as much of its conversation as fits; what is always sent stays. The same one where it fits. */
export function fitRequest(
  request: ModelRequest,
  maxTokens: number,
  meter: TokenMeter,
): ModelRequest {
  const { front, conversation, end } = partsOf(request);
  const whole = { maxMessages: Number.POSITIVE_INFINITY, maxTokens, meter };
  const budget = budgetBeside(whole, [...front, ...end], request.tools);
  const kept = fitContext(conversation, budget);
  if (kept === conversation) return request;
  return { ...request, messages: [...front, ...kept, ...end] };
}

/** What a request counts, its tools included. */
export const tokensOfRequest = ({ messages, tools }: ModelRequest, meter: TokenMeter): number =>
  tokensOf(messages, meter) + tools.reduce((sum, tool) => sum + meter.ofTool(tool), 0);

interface Parts {
  front: readonly Message[];
  conversation: readonly Message[];
  end: readonly Message[];
}

/** The conversation begins behind what is always sent; instructions may stand at its end. */
function partsOf({ messages, always = 0 }: ModelRequest): Parts {
  const system = messages.findIndex(({ role }) => role !== 'system');
  const from = Math.max(always, system < 0 ? messages.length : system);
  const last = messages.findLastIndex(({ role }) => role !== 'system');
  const to = Math.max(from, last + 1);
  return {
    front: messages.slice(0, from),
    conversation: messages.slice(from, to),
    end: messages.slice(to),
  };
}
