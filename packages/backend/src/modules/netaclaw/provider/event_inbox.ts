import type { ModelAnswer, ModelEvent } from '../runtime/port.js';
import type { DeltaSink } from '../runtime/provider/answer_reader.js';

type Outcome = { ok: true } | { ok: false; error: unknown };

/**
 * What a request has brought and its reader has not yet taken. Deltas that wait are joined, so one
 * network chunk with many of them wakes the reader once and costs it one event, and a slow reader
 * gets fewer and longer ones. The first `complete` or `fail` counts, all later news is ignored.
 */
export class EventInbox implements DeltaSink {
  private readonly waiting: ModelEvent[] = [];
  private outcome: Outcome | null = null;
  private wake: (() => void) | null = null;

  get isSettled(): boolean {
    return this.outcome !== null;
  }

  get hasFailed(): boolean {
    return this.outcome?.ok === false;
  }

  text(text: string): void {
    this.addDelta('text-delta', text);
  }

  reasoning(text: string): void {
    this.addDelta('reasoning-delta', text);
  }

  complete(answer: ModelAnswer): void {
    if (this.outcome) return;
    this.outcome = { ok: true };
    this.waiting.push({ type: 'answer', answer });
    this.notify();
  }

  fail(error: unknown): void {
    if (this.outcome) return;
    this.outcome = { ok: false, error };
    this.notify();
  }

  /** Drops what waits and fails: the reader wants no more. */
  abandon(error: unknown): void {
    this.waiting.length = 0;
    this.fail(error);
  }

  /** The failure, when nothing came before it. */
  get failureBeforeEvents(): { error: unknown } | null {
    return this.outcome?.ok === false && this.waiting.length === 0 ? this.outcome : null;
  }

  /** The next event; undefined when none is there yet. Throws the failure once all events are taken. */
  take(): ModelEvent | undefined {
    const event = this.waiting.shift();
    if (event === undefined && this.outcome?.ok === false) throw this.outcome.error;
    return event;
  }

  /** Resolves as soon as there is an event or a failure. One reader may wait. */
  arrival(): Promise<void> {
    if (this.outcome || this.waiting.length > 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.wake = resolve;
    });
  }

  private addDelta(type: 'text-delta' | 'reasoning-delta', text: string): void {
    if (this.outcome) return;
    const last = this.waiting.at(-1);
    if (last?.type === type) last.text += text;
    else this.waiting.push({ type, text });
    this.notify();
  }

  private notify(): void {
    this.wake?.();
    this.wake = null;
  }
}
