import type { ToolCall, Usage } from '@netaclaw/contracts';
import type {
  ChatModel,
  ModelAnswer,
  ModelEvent,
  ModelRequest,
} from '../src/modules/netaclaw/runtime/port.js';

/** What the model does at one call. It may throw, wait, and stop in the middle. */
export type Play = (request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelEvent>;

/** A model that plays a list of answers, one per call, and keeps what it was asked. */
export interface ScriptedModel extends ChatModel {
  readonly requests: readonly ModelRequest[];
}

/** Beyond its script it throws, so that a run that asks too often fails instead of going on. */
export function scriptedModel(...script: Play[]): ScriptedModel {
  const requests: ModelRequest[] = [];
  return {
    name: 'scripted',
    rehearsal: false,
    requests,
    call(request, signal) {
      requests.push({ ...request, messages: [...request.messages] });
      const play = script[requests.length - 1];
      if (!play) throw new Error(`the script has no answer number ${requests.length}`);
      return play(request, signal);
    },
  };
}

export const usageOf = (inputTokens: number, outputTokens: number): Usage => ({
  inputTokens,
  outputTokens,
  totalTokens: inputTokens + outputTokens,
});

/** Anything, as it stands. */
export const answers = (answer: Partial<ModelAnswer>): Play =>
  async function* () {
    yield {
      type: 'answer',
      answer: {
        message: { role: 'assistant', content: '' },
        stopReason: 'stop',
        usage: usageOf(10, 5),
        ...answer,
      },
    };
  };

/** An answer in words. */
export const says = (content: string): Play => answers({ message: { role: 'assistant', content } });

/** An answer that asks for tools. Arguments that are no text become JSON. */
export const asks = (...calls: readonly ScriptedCall[]): Play =>
  answers({
    message: { role: 'assistant', content: '', toolCalls: calls.map(toCall) },
    stopReason: 'tool_calls',
  });

export interface ScriptedCall {
  id: string;
  name: string;
  arguments?: unknown;
}

const toCall = ({ id, name, arguments: input = {} }: ScriptedCall): ToolCall => ({
  id,
  name,
  arguments: typeof input === 'string' ? input : JSON.stringify(input),
});

/** Streams pieces of text, then does what `then` says. */
export const streams = (pieces: readonly string[], then: Play): Play =>
  async function* (request, signal) {
    for (const text of pieces) yield { type: 'text-delta', text };
    yield* then(request, signal);
  };

/** Throws instead of answering. */
export const throws = (error: unknown): Play =>
  // oxlint-disable-next-line require-yield -- a model that never says a word
  async function* () {
    throw error;
  };

/** Says nothing until it is stopped, then throws the signal's reason, as the port promises. */
export const hangs: Play =
  // oxlint-disable-next-line require-yield -- a model that never says a word
  async function* (_request, signal) {
    signal.throwIfAborted();
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    throw signal.reason;
  };
