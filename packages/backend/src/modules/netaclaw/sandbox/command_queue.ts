/** Lets a set number of tasks run at the same time; the others wait in order of arrival. */
export class CommandQueue {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly most: number) {}

  /** Runs `work` when there is room. Throws the signal's reason when it is aborted while waiting. */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.enter(signal);
    try {
      return await work();
    } finally {
      this.leave();
    }
  }

  private async enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.running < this.most) {
      this.running += 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const give = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        this.waiting.splice(this.waiting.indexOf(give), 1);
        reject(signal.reason);
      };
      this.waiting.push(give);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  /** A place that becomes free goes to the first who waits, without being free in between. */
  private leave(): void {
    const next = this.waiting.shift();
    if (next === undefined) this.running -= 1;
    else next();
  }
}
