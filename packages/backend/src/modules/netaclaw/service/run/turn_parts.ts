import { randomUUID } from 'node:crypto';
import type { ToolCall } from '@netaclaw/contracts';
import type { SpillResult } from '../../runtime/port.js';
import type { SessionFacts } from '../../runtime/prompt_builder.js';
import { estimateTokens } from '../../runtime/tokens.js';
import type { Computer } from '../../sandbox/components.js';
import type { ResolvedChannel } from '../channel/model_channel.js';
import type { RunSource } from '@netaclaw/contracts';
import type { Turn, TurnRequest } from './turn.js';

/** Tokens kept free for the answer when a channel does not say how long one may be. */
const DEFAULT_OUTPUT_TOKENS = 4096;
/** Tokens kept free for the system prompt and the tools. */
const PROMPT_RESERVE = 4096;

/** What the prompt says about the session. */
export const sessionFactsOf = (turn: Turn): SessionFacts & { source: RunSource } => ({
  sessionId: turn.sessionId,
  source: turn.request.source,
  model: turn.channel.model.name,
  user: turn.request.actor.name,
  channel: turn.channel.name,
});

/** Estimated tokens a conversation may take on this channel; null when its window is not known. */
export function contextTokensOf(
  { contextWindow, maxOutputTokens }: ResolvedChannel,
  { executionContext }: Pick<TurnRequest, 'executionContext'> = {},
): number | null {
  if (contextWindow === null) return null;
  const prompt = PROMPT_RESERVE + estimateTokens(executionContext ?? '');
  const left = contextWindow - (maxOutputTokens ?? DEFAULT_OUTPUT_TOKENS) - prompt;
  return Math.max(512, left);
}

/** Lays the full text of a long result into the session's workspace, where `read_file` reaches it. */
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
