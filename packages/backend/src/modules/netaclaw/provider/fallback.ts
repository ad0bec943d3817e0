import { ModelError, type ChatModel, type ModelEvent, type ModelRequest } from '../runtime/port.js';

/** Told when a model is given up for the next one. */
export type HandOver = (from: ChatModel, to: ChatModel, error: ModelError) => void;

/**
 * A model that hands over to the next when it fails before its first event. After the first event a
 * failure stands: the user has seen part of an answer. `name` stays the first one's; an answer of
 * another says whose it is. At least one model must be given.
 */
export function withFallbacks(models: readonly ChatModel[], handOver: HandOver): ChatModel {
  const [first] = models;
  if (!first) throw new Error('a chain of models has at least one');
  if (models.length === 1) return first;
  return {
    name: first.name,
    rehearsal: first.rehearsal,
    async *call(request, signal) {
      for (const [index, model] of models.entries()) {
        const failure = yield* attempt(model, index > 0, { request, signal });
        const next = models[index + 1];
        if (failure === null) return;
        if (!next) throw failure;
        handOver(model, next, failure);
      }
    },
  };
}

interface Asked {
  request: ModelRequest;
  signal: AbortSignal;
}

/** Gives back the failure that another model may make good; throws any other. */
async function* attempt(
  model: ChatModel,
  isSigned: boolean,
  { request, signal }: Asked,
): AsyncGenerator<ModelEvent, ModelError | null> {
  let begun = false;
  try {
    for await (const event of model.call(request, signal)) {
      begun = true;
      yield isSigned && event.type === 'answer' ? { ...event, model: model.name } : event;
    }
    return null;
  } catch (error) {
    const isUnheard = error instanceof ModelError && !begun && !error.hasBegun;
    if (isUnheard && !signal.aborted) return error;
    throw error;
  }
}
