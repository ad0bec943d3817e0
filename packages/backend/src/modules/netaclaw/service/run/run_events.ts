import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { RunEvent } from '@netaclaw/contracts';
import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import type { Actor } from '../../../base/auth/actor.js';
import { logger } from '../../../base/log/logger.js';
import type { StartedRun } from './agent_executor.js';
import type { LiveRun } from './live_run.js';
import { NetaClawLiveRunsService } from './live_runs.js';
import { NetaClawRunService } from './run.js';
import { eventsAfter, eventsOf } from './run_view.js';
import { EventStreamWriter } from './sse.js';

/** How often the events of another node's run are looked for; that node stores them every second. */
const POLL_MS = 300;

/** The events of a run as server-sent events: what has been, then what comes, without loss or doubling. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class NetaClawRunEventsService {
  @Inject() runs: NetaClawRunService;
  @Inject() liveRuns: NetaClawLiveRunsService;

  /** Streams a run of this process to one reader until it ends or the reader goes. */
  stream(live: LiveRun, after: number, response: ServerResponse): Promise<void> {
    const writer = new EventStreamWriter(response);
    const address = `{"runId":"${live.runId}","sessionId":"${live.sessionId}",`;
    return new Promise((resolve) => {
      const unfollow = live.follow(after, {
        onEvent: ({ seq, type, json }) => writer.event(seq, type, address + json.slice(1)),
        onEnd: () => writer.end(),
      });
      response.once('close', () => {
        unfollow();
        resolve();
      });
    });
  }

  /** All events of a turn that has just begun, or that this request joins. */
  async streamStarted(
    { runId, live }: StartedRun,
    actor: Actor,
  ): Promise<(response: ServerResponse) => Promise<void>> {
    if (live) return (response) => this.stream(live, 0, response);
    return this.streamOwn(runId, actor, 0);
  }

  /** Writes the events of one of the caller's runs from after `after`, live where it is under way. */
  async streamOwn(
    id: string,
    actor: Actor,
    after: number,
  ): Promise<(response: ServerResponse) => Promise<void>> {
    const live = this.liveRuns.get(id);
    const row = await this.runs.findOwn(id, actor);
    if (live) return (response) => this.stream(live, after, response);
    return (response) => this.replay(row.id, after, response);
  }

  /**
   * The events of a run after `after`, as JSON, from where they are stored: for a run that has ended, or
   * that another node is at, which stores them as it goes. Ends when the run has ended.
   */
  async *stored(id: string, after: number, signal: AbortSignal): AsyncGenerator<RunEvent> {
    let last = after;
    for (;;) {
      const row = await this.runs.stateOf(id);
      const events = eventsOf(row);
      const isOver = row.status !== 'running';
      for (const event of isOver ? eventsAfter(events, last) : events) {
        if (!isOver && event.seq <= last) continue;
        last = event.seq;
        yield event;
      }
      if (isOver) return;
      await wait(POLL_MS, undefined, { signal });
    }
  }

  private async replay(id: string, after: number, response: ServerResponse): Promise<void> {
    const writer = new EventStreamWriter(response);
    const controller = new AbortController();
    response.once('close', () => controller.abort());
    try {
      for await (const event of this.stored(id, after, controller.signal)) {
        writer.event(event.seq, event.type, JSON.stringify(event));
      }
      writer.end();
    } catch (error) {
      if (!controller.signal.aborted)
        logger().warn({ err: error, runId: id }, 'a replay broke off');
      response.destroy();
    }
  }
}
