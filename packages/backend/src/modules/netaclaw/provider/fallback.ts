import { ModelError, type ChatModel, type ModelEvent, type ModelRequest } from '../runtime/port.js';

/**
 * A model that hands over to another when it fails before its first event. After the first event a
 * failure stands: the user has seen part of an answer. `name` stays the first one's.
 */
export function withFallback(first: ChatModel, second: ChatModel): ChatModel {
  return {
    name: first.name,
    rehearsal: first.rehearsal,
    call: (request, signal) => callInTurn([first, second], request, signal),
  };
}

async function* callInTurn(
  [first, ...rest]: readonly ChatModel[],
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  if (!first) return;
  let begun = false;
  try {
    for await (const event of first.call(request, signal)) {
      begun = true;
      yield event;
    }
    return;
  } catch (error) {
    const mayHandOver = error instanceof ModelError && !begun && !signal.aborted && rest.length > 0;
    if (!mayHandOver) throw error;
  }
  yield* callInTurn(rest, request, signal);
}
