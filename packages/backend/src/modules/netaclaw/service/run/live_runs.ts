import { Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { DomainError } from '../../../base/error.js';
import type { LiveRun } from './live_run.js';

/** How long cancelled runs get to be stored at shutdown. */
const CLOSE_MS = 5_000;

/** The runs that are under way in this process. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class NetaClawLiveRunsService {
  private readonly runs = new Map<string, LiveRun>();
  private stopping = false;

  get isStopping(): boolean {
    return this.stopping;
  }

  get size(): number {
    return this.runs.size;
  }

  get(runId: string): LiveRun | undefined {
    return this.runs.get(runId);
  }

  ids(): string[] {
    return [...this.runs.keys()];
  }

  /** Keeps a run until it has ended. */
  add(run: LiveRun): void {
    this.runs.set(run.runId, run);
    void run.ended.then(() => this.runs.delete(run.runId));
  }

  /** Refuses new work while the server is going down. */
  refuseWhenStopping(): void {
    if (this.stopping)
      throw new DomainError('notReady', 'the server is shutting down; try again shortly');
  }

  /** Lets running turns finish for `graceMs`, then cancels what is left and waits until it is stored. */
  async drain(graceMs: number): Promise<void> {
    this.stopping = true;
    await this.allEnded(graceMs);
    for (const run of this.runs.values()) run.cancel('the server was shut down');
    await this.allEnded(CLOSE_MS);
  }

  private async allEnded(withinMs: number): Promise<void> {
    if (this.runs.size === 0) return;
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise((resolve) => (timer = setTimeout(resolve, withinMs)));
    await Promise.race([Promise.all([...this.runs.values()].map(({ ended }) => ended)), limit]);
    clearTimeout(timer);
  }
}
