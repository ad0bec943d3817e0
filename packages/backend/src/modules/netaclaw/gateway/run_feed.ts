import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import type { Actor } from '../../base/auth/actor.js';
import { DomainError } from '../../base/error.js';
import { logger } from '../../base/log/logger.js';
import { socketLimits } from '@netaclaw/contracts';
import type { StartedRun } from '../service/run/agent_executor.js';
import type { LiveRun, NumberedEvent } from '../service/run/live_run.js';
import { NetaClawLiveRunsService } from '../service/run/live_runs.js';
import { NetaClawRunEventsService } from '../service/run/run_events.js';
import { NetaClawRunService } from '../service/run/run.js';
import type { Connection, Subscription } from './connection.js';
import { LivePump } from './live_pump.js';
import { roomOf } from './room.js';
import { eventFrame } from './frames.js';

/** A run that a connection may follow: the caller's own. */
export interface OwnRun {
  runId: string;
  sessionId: string;
  /** Null when it has ended, or another node is at it. */
  live: LiveRun | null;
}

/** The events of runs, to connections: what has been, then what comes, at the pace of each reader. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class NetaClawRunFeed {
  @Inject() liveRuns: NetaClawLiveRunsService;
  @Inject() runs: NetaClawRunService;
  @Inject() events: NetaClawRunEventsService;
  /** Followers of a run hear of an event one after the other, so one is enough to make each frame once. */
  private newest: { event: NumberedEvent; frame: Buffer } | null = null;

  /** A run of the caller's; somebody else's does not exist. Asked before the row, so that none ends in between. */
  async own(runId: string, actor: Actor): Promise<OwnRun> {
    const live = this.liveRuns.get(runId) ?? null;
    const { sessionId } = await this.runs.findOwn(runId, actor);
    return { runId, sessionId, live };
  }

  /** A turn that this caller has begun, or joined. */
  async started({ runId, live }: StartedRun, actor: Actor): Promise<OwnRun> {
    return live ? { runId, sessionId: live.sessionId, live } : this.own(runId, actor);
  }

  /** Throws `DomainError` when a connection follows as many runs as it may. */
  refuseTooMany(connection: Connection): void {
    if (connection.subscriptionCount < socketLimits.maxSubscriptions) return;
    throw new DomainError('conflict', 'this connection follows too many runs; open another one');
  }

  /** Sends the events after `after` until the run or the connection ends. */
  follow(connection: Connection, run: OwnRun, after: number): void {
    const { live } = run;
    connection.follow(run.runId, (onEnd) =>
      live
        ? new LivePump({
            connection,
            live,
            after,
            frameOf: (event) => this.frameOf(live, event),
            onEnd,
          })
        : this.replay({ connection, run, after, onEnd }),
    );
  }

  private replay({ connection, run, after, onEnd }: Replay): Subscription {
    const controller = new AbortController();
    void this.copyStored(connection, { run, after }, controller.signal).then(onEnd);
    return { stop: () => controller.abort() };
  }

  private async copyStored(
    connection: Connection,
    { run, after }: Pick<Replay, 'run' | 'after'>,
    signal: AbortSignal,
  ): Promise<void> {
    const { runId, sessionId } = run;
    try {
      for await (const event of this.events.stored(runId, after, signal)) {
        if (connection.isFull) await roomOf(connection, signal);
        signal.throwIfAborted();
        const { runId: _run, sessionId: _session, ...own } = event;
        const { seq, type } = event;
        connection.send(eventFrame({ runId, sessionId, seq, type, json: JSON.stringify(own) }));
      }
    } catch (error) {
      if (!signal.aborted) logger().warn({ err: error, runId }, 'a replay broke off');
      if (!signal.aborted) connection.close('goingAway');
    }
  }

  private frameOf({ runId, sessionId }: LiveRun, event: NumberedEvent): Buffer {
    if (this.newest?.event !== event) {
      this.newest = { event, frame: eventFrame({ runId, sessionId, ...event }) };
    }
    return this.newest.frame;
  }
}

interface Replay {
  connection: Connection;
  run: OwnRun;
  after: number;
  onEnd: () => void;
}
