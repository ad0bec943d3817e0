import {
  ModelError,
  type ChatModel,
  type Clock,
  type ModelEvent,
  type ModelRequest,
} from '../runtime/port.js';

/** When a channel is left alone. */
export interface CircuitPolicy {
  /** Failures in a row that open it. */
  failures: number;
  /** How long it stays open before one call may try again. */
  restMs: number;
}

export const DEFAULT_CIRCUIT_POLICY: CircuitPolicy = { failures: 5, restMs: 30_000 };

/**
 * Remembers how a channel has done lately. After enough failures in a row it opens: calls are turned
 * away at once instead of each waiting for its own failure. After a rest one call goes through; its
 * success closes the circuit, its failure begins another rest.
 */
export class Circuit {
  private failuresInRow = 0;
  private lastProblem = '';
  private openedAt: number | null = null;
  private isTrying = false;

  constructor(
    private readonly clock: Clock = Date.now,
    private readonly policy: CircuitPolicy = DEFAULT_CIRCUIT_POLICY,
  ) {}

  get isOpen(): boolean {
    return this.openedAt !== null;
  }

  /** Why a call may not go out now; null when it may, in which case its end must be reported. */
  refusal(): string | null {
    if (this.openedAt === null) return null;
    const left = this.openedAt + this.policy.restMs - this.clock();
    if (left <= 0 && !this.isTrying) {
      this.isTrying = true;
      return null;
    }
    const when =
      left > 0 ? `the next try is in ${Math.ceil(left / 1000)} s` : 'one call is trying it now';
    return `failed ${this.failuresInRow} times in a row and is given a rest; ${when}. The last failure: ${this.lastProblem}`;
  }

  succeeded(): void {
    this.failuresInRow = 0;
    this.openedAt = null;
    this.isTrying = false;
  }

  failed(problem: string): void {
    this.failuresInRow += 1;
    this.lastProblem = problem;
    this.isTrying = false;
    if (this.failuresInRow >= this.policy.failures) this.openedAt = this.clock();
  }

  /** The call ended without saying anything about the channel. */
  abandoned(): void {
    this.isTrying = false;
  }
}

/** A model that is not asked while its circuit is open. `channel` is how sentences name it. */
export function withCircuit(model: ChatModel, circuit: Circuit, channel: string): ChatModel {
  return {
    name: model.name,
    rehearsal: model.rehearsal,
    async *call(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
      const refusal = circuit.refusal();
      if (refusal !== null) throw new ModelError(`the channel ${channel} ${refusal}`);
      let isSettled = false;
      try {
        for await (const event of model.call(request, signal)) {
          // Its first word shows that the channel is well; a long answer need not keep others waiting.
          if (event.type === 'answer' || circuit.isOpen) circuit.succeeded();
          if (event.type === 'answer') isSettled = true;
          yield event;
        }
      } catch (error) {
        if (!isSettled && isOutage(error, signal)) {
          isSettled = true;
          circuit.failed(error.message);
        }
        throw error;
      } finally {
        if (!isSettled) circuit.abandoned();
      }
    },
  };
}

/** A refused request (a wrong key, a bad parameter) fails at once and for one call alone; the rest is an outage. */
function isOutage(error: unknown, signal: AbortSignal): error is ModelError {
  if (!(error instanceof ModelError) || signal.aborted) return false;
  const { status } = error;
  return status === null || status === 408 || status === 429 || status >= 500;
}
