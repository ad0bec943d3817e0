import type { ChatAnswer, ChatBody, RunSource } from '@netaclaw/contracts';
import { endStatusSchema } from '@netaclaw/contracts';
import { Config, Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Settings } from '../../../../settings.js';
import { ownerOf, type Actor } from '../../../base/auth/actor.js';
import { DomainError } from '../../../base/error.js';
import type { RunOutcome } from '../../runtime/agent_loop.js';
import { NetaClawAgentExecutorService, type StartedRun } from './agent_executor.js';
import { NetaClawRunService } from './run.js';
import { runOf, wasTruncated } from './run_view.js';

const MINUTE_S = 60;

/** Chat over REST: begins turns, holds callers to their limits, answers whole. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class NetaClawChatService {
  @Config('settings') settings: Settings;
  @Inject() executor: NetaClawAgentExecutorService;
  @Inject() runs: NetaClawRunService;
  private readonly limiters = new Map<number, RateLimiterMemory>();

  /** Begins a turn. Throws `DomainError` for what starts no run. */
  async start(body: ChatBody, actor: Actor, source: RunSource): Promise<StartedRun> {
    await this.takeFromLimit(actor);
    return this.executor.start({ body, actor, source });
  }

  /** Waits for a turn and answers it; a failed one too. */
  async answer(started: StartedRun, hangUp: () => AbortSignal): Promise<ChatAnswer> {
    const outcome = await started.live?.ended;
    if (started.live && outcome) return this.answerOf(started.live, outcome);
    const row = await this.runs.untilEnded(started.runId, hangUp());
    const run = runOf(row, await this.runs.snapshotOf(row));
    const {
      agent: _agent,
      crew: _crew,
      model: _model,
      startedAt: _from,
      endedAt: _to,
      error,
      status,
      ...rest
    } = run;
    return {
      ...rest,
      status: endStatusSchema.parse(status),
      ...(error === null ? {} : { error }),
      ...(wasTruncated(row) ? { truncated: true } : {}),
    };
  }

  /** Counts a request against its caller's limit, whatever API it came by. Throws `DomainError` when it is spent. */
  async takeFromLimit(actor: Actor): Promise<void> {
    const own = actor.kind === 'key' ? actor.rateLimit : null;
    try {
      await this.limiter(own ?? this.settings.chatRateLimit).consume(ownerOf(actor));
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      const retryAfter = Math.ceil(error.msBeforeNext / 1000);
      throw new DomainError('rateLimited', `too many chat requests; try again in ${retryAfter} s`, {
        retryAfter,
      });
    }
  }

  private answerOf(live: NonNullable<StartedRun['live']>, outcome: RunOutcome): ChatAnswer {
    return {
      runId: live.runId,
      sessionId: live.sessionId,
      status: outcome.status,
      reply: outcome.reply,
      toolCalls: outcome.toolCalls,
      usage: outcome.usage,
      toolNames: live.tools.toolNames,
      disabledReasons: live.tools.disabledReasons,
      ...(outcome.error === null ? {} : { error: outcome.error }),
      ...(outcome.truncated ? { truncated: outcome.truncated } : {}),
    };
  }

  private limiter(points: number): RateLimiterMemory {
    const known = this.limiters.get(points);
    if (known) return known;
    const made = new RateLimiterMemory({ points, duration: MINUTE_S });
    this.limiters.set(points, made);
    return made;
  }
}
