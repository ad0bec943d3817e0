import type { ChatToolCall } from '@netaclaw/contracts';
import type { Turn } from './turn.js';

/** The audit's entries of the tools that a turn called. */
export const toolCallEntries = ({ request, runId, agent }: Turn, calls: readonly ChatToolCall[]) =>
  calls.map((call) => ({
    actor: request.actor,
    action: 'tool.call' as const,
    target: `tool:${call.name}`,
    after: {
      runId,
      agent: agent.name,
      status: call.status,
      durationMs: call.durationMs,
      arguments: argumentsOf(call),
    },
  }));

/** As an object, so that the audit finds secrets by their names; as written when they do not parse. */
function argumentsOf(call: ChatToolCall): unknown {
  try {
    return JSON.parse(call.arguments);
  } catch {
    return call.arguments;
  }
}
