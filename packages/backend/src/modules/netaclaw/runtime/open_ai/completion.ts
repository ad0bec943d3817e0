import type {
  ChatAnswer,
  ChatCompletion,
  ChatCompletionChunk,
  CompletionUsage,
  FinishReason,
  Usage,
} from '@netaclaw/contracts';

/** What all pieces of one completion share. */
export type CompletionHead = Pick<ChatCompletion, 'id' | 'created' | 'model'>;

/** An answer that a client can be given as a completion; `error` is the sentence of one that it cannot. */
export type Verdict = { finishReason: FinishReason } | { code: string; error: string };

/** A run that failed, was stopped, or spent its budget without a word has no completion. */
export function verdictOf({
  status,
  error,
  truncated,
}: Pick<ChatAnswer, 'status' | 'error' | 'truncated'>): Verdict {
  if (status === 'cancelled') return { code: 'run_cancelled', error: 'The run was cancelled.' };
  if (error !== undefined) return { code: 'run_failed', error };
  return { finishReason: status === 'limit' || truncated ? 'length' : 'stop' };
}

export const completionHead = (runId: string, model: string): CompletionHead => ({
  id: `chatcmpl-${runId}`,
  created: Math.floor(Date.now() / 1000),
  model,
});

/** The whole answer. */
export const completionOf = (
  head: CompletionHead,
  { reply, usage }: Pick<ChatAnswer, 'reply' | 'usage'>,
  finishReason: FinishReason,
): ChatCompletion => ({
  ...head,
  object: 'chat.completion',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: reply, refusal: null },
      logprobs: null,
      finish_reason: finishReason,
    },
  ],
  usage: completionUsageOf(usage),
});

type Choice = ChatCompletionChunk['choices'][number];

/** Makes the chunks of one stream. With `includeUsage` all carry the field, and a last one its figures. */
export class ChunkMaker {
  private readonly usage: { usage?: null };

  constructor(
    private readonly head: CompletionHead,
    readonly includeUsage: boolean,
  ) {
    this.usage = includeUsage ? { usage: null } : {};
  }

  first(): ChatCompletionChunk {
    return this.chunk({ role: 'assistant', content: '', refusal: null });
  }

  text(content: string): ChatCompletionChunk {
    return this.chunk({ content });
  }

  last(finishReason: FinishReason): ChatCompletionChunk {
    return this.chunk({}, finishReason);
  }

  figures(usage: Usage): ChatCompletionChunk {
    return { ...this.head, object, choices: [], usage: completionUsageOf(usage) };
  }

  private chunk(
    delta: Choice['delta'],
    finishReason: Choice['finish_reason'] = null,
  ): ChatCompletionChunk {
    const choice: Choice = { index: 0, delta, logprobs: null, finish_reason: finishReason };
    return { ...this.head, object, choices: [choice], ...this.usage };
  }
}

const object = 'chat.completion.chunk';

const completionUsageOf = (usage: Usage): CompletionUsage => ({
  prompt_tokens: usage.inputTokens,
  completion_tokens: usage.outputTokens,
  total_tokens: usage.totalTokens,
});
