import { randomUUID } from 'node:crypto';
import type { RunSource, ToolCall } from '@netaclaw/contracts';
import type { SpillResult } from '../../runtime/port.js';
import type { SessionFacts } from '../../runtime/prompt_builder.js';
import type { Computer } from '../../sandbox/components.js';
import type { Turn } from './turn.js';

/** What the prompt says about the session. */
export const sessionFactsOf = (turn: Turn): SessionFacts & { source: RunSource } => ({
  sessionId: turn.sessionId,
  source: turn.request.source,
  model: turn.channel.model.name,
  user: turn.request.actor.name,
  channel: turn.channel.name,
  parentSession: turn.request.parent?.sessionId ?? null,
});

/** Lays a long result, as its tool returned it, into the session's workspace, where `read_file` reaches it. */
export function spillTo(
  computer: ((signal: AbortSignal) => Promise<Computer>) | null,
  signal: AbortSignal,
): SpillResult {
  return async (call: ToolCall, text: string) => {
    if (!computer) return null;
    // A model may give the calls of another turn the same ids, and that turn's text must stay.
    const name = `${call.id.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 80)}-${randomUUID().slice(0, 8)}`;
    const path = `tool-results/${name}.txt`;
    const { files } = await computer(signal);
    await files.writeText(path, text);
    return path;
  };
}
