import type { LiveRun, NumberedEvent } from '../service/run/live_run.js';
import type { Connection, Subscription } from './connection.js';

interface Pumping {
  connection: Pick<Connection, 'isFull' | 'whenRoom' | 'send'>;
  live: LiveRun;
  /** The last event that the reader has. */
  after: number;
  frameOf: (event: NumberedEvent) => Buffer;
  /** Called once, when the reader has been sent everything. */
  onEnd: () => void;
}

/**
 * Sends the events of a run of this process at the pace of one reader. The run keeps them anyway, so a
 * reader that lags costs a number and no queue; none is lost and none comes twice.
 */
export class LivePump implements Subscription {
  private sent: number;
  private hasEnded = false;
  private isStopped = false;
  private isWaiting = false;
  private readonly unfollow: () => void;

  constructor(private readonly to: Pumping) {
    this.sent = to.after;
    this.unfollow = to.live.follow(to.live.events.length, {
      onEvent: () => this.push(),
      onEnd: () => {
        this.hasEnded = true;
        this.push();
      },
    });
    this.push();
  }

  stop(): void {
    this.isStopped = true;
    this.unfollow();
  }

  private push(): void {
    const { connection, live, frameOf, onEnd } = this.to;
    if (this.isStopped || this.isWaiting) return;
    for (let event = live.events[this.sent]; event; event = live.events[this.sent]) {
      if (connection.isFull) return this.wait();
      this.sent += 1;
      connection.send(frameOf(event));
    }
    if (!this.hasEnded) return;
    this.isStopped = true;
    onEnd();
  }

  private wait(): void {
    this.isWaiting = true;
    this.to.connection.whenRoom(() => {
      this.isWaiting = false;
      this.push();
    });
  }
}
