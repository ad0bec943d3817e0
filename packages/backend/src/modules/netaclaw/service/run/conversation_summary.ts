import type { Message, RunEventBody, Usage } from '@netaclaw/contracts';
import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { logger } from '../../../base/log/logger.js';
import { ModelError, type ModelAnswer } from '../../runtime/port.js';
import { summaryMessage, summaryRequest, turnsToSummarize } from '../../runtime/summary.js';
import { NO_USAGE } from '../../runtime/usage.js';
import type { LiveRun } from './live_run.js';
import { NetaClawRunStoreService } from './run_store.js';
import type { Turn } from './turn.js';
import { contextBudgetOf } from './context_budget.js';

/** What of the conversation goes to the model in front of this turn. */
export interface Conversation {
  preface: Message[];
  history: Message[];
  /** What making the notes cost. */
  usage: Usage;
}

/**
 * Keeps notes on the older part of a conversation, for agents with `limits.summarizeHistory`: before it
 * is cut off, the agent's own model writes down what must stay known. When that fails the turn goes on,
 * and the older part is cut without notes.
 */
@Provide()
@Scope(ScopeEnum.Singleton)
export class NetaClawConversationSummaryService {
  @Inject() store: NetaClawRunStoreService;

  async conversationOf(turn: Turn, live: LiveRun): Promise<Conversation> {
    const { summary, turns } = turn.earlier;
    const budget = contextBudgetOf(turn.agent, turn.channel);
    const folded = turn.agent.limits.summarizeHistory ? turnsToSummarize(turns, budget) : 0;
    const made = folded === 0 ? null : await this.fold(turn, folded, live);
    if (made === null) return conversation(summary, turns, NO_USAGE);
    return conversation(made.summary, turns.slice(folded), made.usage);
  }

  /** Writes the notes and stores them; null when the model could not. */
  private async fold(
    turn: Turn,
    count: number,
    live: LiveRun,
  ): Promise<{ summary: string; usage: Usage } | null> {
    const { summary: previous, turns } = turn.earlier;
    const folded = turns.slice(0, count);
    try {
      const startedAt = Date.now();
      const budget = contextBudgetOf(turn.agent, turn.channel);
      const request = summaryRequest({ previous, turns: folded }, budget);
      const { answer, model } = await this.ask(turn, request, live.signal);
      const durationMs = Date.now() - startedAt;
      live.emit(usageEvent(answer.usage, { durationMs, model }));
      const summary = answer.message.content.trim();
      if (summary === '') throw new ModelError('the model wrote no notes');
      await this.store.saveSummary(turn.sessionId, summary, folded.at(-1)?.runId ?? '');
      return { summary, usage: answer.usage };
    } catch (error) {
      // A stop reaches the loop by the same signal; whatever else went wrong must not cost the turn.
      logger().warn({ err: error, runId: turn.runId }, 'older turns are cut off without notes');
      return null;
    }
  }

  private async ask(
    { channel }: Turn,
    messages: readonly Message[],
    signal: AbortSignal,
  ): Promise<{ answer: ModelAnswer; model: string }> {
    for await (const event of channel.model.call({ messages, tools: [], stream: false }, signal)) {
      if (event.type !== 'answer') continue;
      return { answer: event.answer, model: event.model ?? channel.model.name };
    }
    throw new ModelError('the model ended without an answer');
  }
}

const usageEvent = (
  usage: Usage,
  call: { durationMs: number; model: string },
): Extract<RunEventBody, { type: 'usage' }> => ({
  type: 'usage',
  ...usage,
  ...call,
  purpose: 'summary',
});

const conversation = (
  summary: string | null,
  turns: Turn['earlier']['turns'],
  usage: Usage,
): Conversation => ({
  preface: summary === null ? [] : [summaryMessage(summary)],
  history: turns.flatMap(({ messages }) => [...messages]),
  usage,
});
