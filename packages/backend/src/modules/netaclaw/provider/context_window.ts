import { fitRequest, tokensOfRequest } from '../runtime/fit_request.js';
import { ModelError, type ChatModel, type ModelEvent, type ModelRequest } from '../runtime/port.js';
import type { TokenMeter } from '../runtime/tokens.js';
import { isContextOverflow } from './context_overflow.js';

/** Requests that are made again shorter, after the first. */
const MAX_SHORTER = 5;
const SHORTER = 0.5;

/** How long a request to one channel may be. What its provider refused is remembered. */
export class ContextWindow {
  private learned: number | null = null;

  constructor(
    /** Tokens that the channel's window has for a request; null: not said. */
    private readonly stated: number | null,
    private readonly loadMeter: () => Promise<TokenMeter>,
  ) {}

  get maxTokens(): number | null {
    return this.learned ?? this.stated;
  }

  /** The request cut to the window. */
  async fit(request: ModelRequest): Promise<ModelRequest> {
    const { maxTokens } = this;
    return maxTokens === null ? request : fitRequest(request, maxTokens, await this.loadMeter());
  }

  /** The provider refused this one as too long: the next may have half of it. Null: nothing more can be cut. */
  async shorter(refused: ModelRequest): Promise<ModelRequest | null> {
    const meter = await this.loadMeter();
    const tokens = tokensOfRequest(refused, meter);
    const learned = Math.floor(tokens * SHORTER);
    const request = fitRequest(refused, learned, meter);
    if (tokensOfRequest(request, meter) >= tokens) return null;
    this.learned = learned;
    return request;
  }
}

/**
 * A model that is sent no more than its window takes. A request that its provider refuses as too long
 * is made again with half of it, a few times, and what was learned so holds for the next.
 */
export function withinWindow(model: ChatModel, window: ContextWindow, channel: string): ChatModel {
  return {
    name: model.name,
    rehearsal: model.rehearsal,
    async *call(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
      let next = await window.fit(request);
      for (let shorter = 0; ; shorter += 1) {
        const refusal = yield* untilRefused(model, next, signal);
        if (refusal === null) return;
        const cut = shorter < MAX_SHORTER ? await window.shorter(next) : null;
        if (cut === null) throw doesNotFit(channel, refusal);
        next = cut;
      }
    },
  };
}

/** Gives back the refusal of a request that is too long; any other failure is thrown. */
async function* untilRefused(
  model: ChatModel,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, ModelError | null> {
  let begun = false;
  try {
    for await (const event of model.call(request, signal)) {
      begun = true;
      yield event;
    }
    return null;
  } catch (error) {
    if (!begun && !signal.aborted && isContextOverflow(error)) return error;
    throw error;
  }
}

const doesNotFit = (channel: string, refusal: ModelError): ModelError =>
  new ModelError(
    `even the newest message does not fit into the context of the channel ${channel}: shorten it, ` +
      `give the agent fewer tools and skills, or choose a model with a larger context. The provider's words: ${refusal.message}`,
    refusal.status,
    { cause: refusal },
  );
