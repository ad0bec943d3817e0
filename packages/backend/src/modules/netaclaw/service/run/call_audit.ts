import type { ChatToolCall } from '@netaclaw/contracts';
import type { AuditEntry } from '../../../base/audit/audit.js';

/** What the audit keeps of a run's tool calls. `actor`: who, or the label it was stored under. */
export const toolCallEntries = (
  actor: AuditEntry['actor'],
  { runId, agent }: { runId: string; agent: string },
  calls: readonly ChatToolCall[],
): AuditEntry[] =>
  calls.map((call) => ({
    actor,
    action: 'tool.call',
    target: `tool:${call.name}`,
    after: {
      runId,
      agent,
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
