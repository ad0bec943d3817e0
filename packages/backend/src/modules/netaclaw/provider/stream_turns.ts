/**
 * Shares the event loop between the answers that stream in and everything else. An answer at full speed
 * comes in pieces of hundreds of tokens, and dozens of them in one turn of the event loop would keep new
 * requests waiting until the old ones are done. So in each turn answers are read for `budgetMs`; the
 * pieces that are left wait, in order, for the next turns.
 */
export class StreamTurns {
  private readonly waiting: (() => void)[] = [];
  /** When the first piece of this turn of the event loop was read; null when none was. */
  private turnBegan: number | null = null;

  constructor(
    private readonly budgetMs: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Whether a piece may be read at once. If not, `later` is called in a turn that has time for it. */
  mayRead(later: () => void): boolean {
    if (this.waiting.length === 0 && this.hasTime()) return true;
    this.waiting.push(later);
    return false;
  }

  private hasTime(): boolean {
    const now = this.now();
    if (this.turnBegan !== null) return now - this.turnBegan < this.budgetMs;
    this.turnBegan = now;
    setImmediate(() => this.nextTurn());
    return true;
  }

  private nextTurn(): void {
    this.turnBegan = null;
    while (this.waiting.length > 0 && this.hasTime()) this.waiting.shift()?.();
  }
}

/** Of the process: at most so long at a stretch does reading answers keep it from other work. */
export const streamTurns = new StreamTurns(2);
