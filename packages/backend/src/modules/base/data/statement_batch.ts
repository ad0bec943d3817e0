import type { EntityManager } from 'typeorm';

interface Waiting {
  run(manager: EntityManager): Promise<void>;
  /** Tells the caller how it went, once it is stored. */
  settle(): void;
  fail(error: unknown): void;
}

/**
 * Collects statements that arrive in one turn of the event loop and stores them with one commit. A
 * statement that fails is undone by itself and told to its caller; the others are stored.
 */
export class StatementBatch {
  private waiting: Waiting[] = [];
  private flushing: Promise<void> | null = null;

  constructor(
    private readonly manager: () => EntityManager,
    private readonly inTurn: (work: () => Promise<void>) => Promise<void>,
  ) {}

  add<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.waiting.push(waitingOf(work, resolve, reject));
      this.flushing ??= this.flushSoon();
    });
  }

  /** Resolves when nothing waits any more. */
  async drained(): Promise<void> {
    while (this.flushing) await this.flushing;
  }

  private async flushSoon(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    await this.inTurn(() => this.flush());
  }

  private async flush(): Promise<void> {
    const batch = this.waiting;
    this.waiting = [];
    this.flushing = null;
    const [first] = batch;
    if (batch.length === 1 && first) return runAlone(first, this.manager());
    await this.runTogether(batch);
  }

  private async runTogether(batch: readonly Waiting[]): Promise<void> {
    const manager = this.manager();
    try {
      await manager.query('BEGIN');
      for (const waiting of batch) await waiting.run(manager);
      await manager.query('COMMIT');
      for (const waiting of batch) waiting.settle();
    } catch (error) {
      await manager.query('ROLLBACK').catch(() => undefined);
      for (const waiting of batch) waiting.fail(error);
    }
  }
}

async function runAlone(waiting: Waiting, manager: EntityManager): Promise<void> {
  await waiting.run(manager);
  waiting.settle();
}

function waitingOf<T>(
  work: (manager: EntityManager) => Promise<T>,
  resolve: (value: T) => void,
  reject: (error: unknown) => void,
): Waiting {
  let settle = (): void => {};
  return {
    async run(manager) {
      try {
        const value = await work(manager);
        settle = () => resolve(value);
      } catch (error) {
        settle = () => reject(error);
      }
    },
    settle: () => settle(),
    fail: reject,
  };
}
