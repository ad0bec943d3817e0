import type { ChatModel, ModelEvent } from '../runtime/port.js';
import { rehearse, words } from '../runtime/provider/rehearsal_script.js';

/** The built-in rehearsal: offline, deterministic, no model. `name` is what run logs show. */
export function createRehearsalModel(name = 'rehearsal'): ChatModel {
  return {
    name,
    rehearsal: true,
    async *call(request, signal): AsyncGenerator<ModelEvent> {
      signal.throwIfAborted();
      const answer = rehearse(request);
      if (request.stream && answer.message.content !== '') {
        for (const text of words(answer.message.content)) {
          yield { type: 'text-delta', text };
          signal.throwIfAborted();
        }
      }
      yield { type: 'answer', answer };
    },
  };
}
