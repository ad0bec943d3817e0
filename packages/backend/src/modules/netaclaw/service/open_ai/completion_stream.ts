import type { ServerResponse } from 'node:http';
import type { ChatAnswer } from '@netaclaw/contracts';
import { z } from 'zod';
import { openAiFailureAnswer } from '../../../base/filter/open_ai_error.js';
import { verdictOf, type ChunkMaker } from '../../runtime/open_ai/completion.js';
import { VisibleText, type TextEvent } from '../../runtime/open_ai/visible_text.js';
import type { LiveRun, NumberedEvent } from '../run/live_run.js';
import { EventStreamWriter } from '../run/sse.js';
import { runFailure } from './open_ai_failure.js';

/** One run as the chunks of a streamed completion: text as it comes, then how it ended. */
export class CompletionStream {
  private readonly text = new VisibleText();
  private readonly writer: EventStreamWriter;

  constructor(
    private readonly response: ServerResponse,
    private readonly chunks: ChunkMaker,
  ) {
    this.writer = new EventStreamWriter(response);
    this.send(chunks.first());
  }

  /** Writes the text of a run of this process, from its beginning, until the reader goes. */
  follow(live: LiveRun): void {
    const unfollow = live.follow(0, {
      onEvent: (event) => this.show(textEventOf(event)),
      onEnd: () => {},
    });
    this.response.once('close', unfollow);
  }

  /** The rest of the text and the ending; a run without an answer is an error in the stream, as that API has it. */
  end(answer: ChatAnswer): void {
    const verdict = verdictOf(answer);
    if ('error' in verdict) {
      this.send(openAiFailureAnswer(runFailure(verdict, answer)).body);
    } else {
      this.show({ type: 'message', text: answer.reply });
      this.send(this.chunks.last(verdict.finishReason));
      if (this.chunks.includeUsage) this.send(this.chunks.figures(answer.usage));
      this.writer.data('[DONE]');
    }
    this.writer.end();
  }

  private show(event: TextEvent | null): void {
    const text = event ? this.text.take(event) : '';
    if (text !== '') this.send(this.chunks.text(text));
  }

  private send(value: unknown): void {
    this.writer.data(JSON.stringify(value));
  }
}

const textSchema = z.object({ text: z.string() });

function textEventOf({ type, json }: NumberedEvent): TextEvent | null {
  switch (type) {
    case 'text-delta':
    case 'message':
      return { type, ...textSchema.parse(JSON.parse(json)) };
    case 'tool-call':
      return { type };
    default:
      return null;
  }
}
