import { setMaxListeners } from 'node:events';
import type { DisabledTool, RunEventBody } from '@netaclaw/contracts';
import type { RunOutcome } from '../../runtime/agent_loop.js';
import { RunCancelled, RunTimedOut } from '../../runtime/run_ending.js';

/** One who follows a run: gets every event once, in order, as JSON text, then the end. */
export interface RunFollower {
  onEvent(event: NumberedEvent): void;
  onEnd(): void;
}

export interface NumberedEvent {
  seq: number;
  type: RunEventBody['type'];
  /** The event's JSON without the run's and the session's id. */
  json: string;
}

/** A run of this process while it is under way: what it has emitted, who follows it, how to stop it. */
export class LiveRun {
  readonly events: NumberedEvent[] = [];
  /** The tools it began with. */
  tools: { toolNames: string[]; disabledReasons: DisabledTool[] } = {
    toolNames: [],
    disabledReasons: [],
  };
  private readonly followers = new Set<RunFollower>();
  private hasEnded = false;
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private resolveEnd: (outcome: RunOutcome) => void = () => {};
  /** Resolves when the run has ended and is stored. */
  readonly ended = new Promise<RunOutcome>((resolve) => (this.resolveEnd = resolve));

  constructor(
    readonly runId: string,
    readonly sessionId: string,
    timeoutMs: number,
  ) {
    // Every tool call of the run listens, and there may be hundreds side by side.
    setMaxListeners(0, this.controller.signal);
    const seconds = Math.round(timeoutMs / 1000);
    this.timer = setTimeout(
      () =>
        this.controller.abort(
          new RunTimedOut(`The run took longer than ${seconds} s and was stopped.`),
        ),
      timeoutMs,
    );
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Numbers an event, keeps it, hands it on. */
  emit(body: RunEventBody): void {
    if (body.type === 'run-start') this.tools = body;
    const seq = this.events.length + 1;
    const json = JSON.stringify({ seq, at: new Date().toISOString(), ...body });
    const event = { seq, type: body.type, json };
    this.events.push(event);
    for (const follower of this.followers) follower.onEvent(event);
  }

  /** Replays what came after `after`, then goes on live until the end, which may have been; the returned function stops it. */
  follow(after: number, follower: RunFollower): () => void {
    for (const event of this.events.slice(after)) follower.onEvent(event);
    if (this.hasEnded) follower.onEnd();
    else this.followers.add(follower);
    return () => this.followers.delete(follower);
  }

  cancel(why: string): void {
    this.controller.abort(new RunCancelled(why));
  }

  /** The outcome is stored: the followers are let go. */
  end(outcome: RunOutcome): void {
    clearTimeout(this.timer);
    this.hasEnded = true;
    this.resolveEnd(outcome);
    for (const follower of this.followers) follower.onEnd();
    this.followers.clear();
  }
}
