import { z } from 'zod';
import type { Usage } from '@netaclaw/contracts';
import type { ModelAnswer, StopReason } from '../port.js';
import { readTokens, readUsageOf } from '../usage.js';
import {
  ANSWERED_NOTHING,
  BROKE_OFF,
  type DeltaSink,
  type NewCallId,
  type ReadAnswer,
  type StreamReader,
} from './answer_reader.js';
import { ANTHROPIC_MESSAGES } from './anthropic_blocks.js';
import { AnthropicBlockReader, type ShownPiece } from './anthropic_block_reader.js';
import { isJsonObject, parseJson, textField, type JsonObject } from './json_value.js';
import { errorMessage } from './provider_error.js';

/** What reading needs to know besides the answer. */
export interface AnthropicReading {
  /** Marks the reasoning that only this model can take back. */
  model: string;
  newCallId: NewCallId;
}

/** `pause_turn` is said of a provider's own tools, which are never offered: it counts as other. */
const stopReasons: Readonly<Record<string, StopReason>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  tool_use: 'tool_calls',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'content_filter',
};

const wholeWire = z.looseObject({
  content: z.array(z.record(z.string(), z.unknown())),
  stop_reason: z.string().nullish().catch(null),
  usage: z.unknown().optional(),
});

/** Reads a whole answer of `/v1/messages`, whatever its text is. Never throws. */
export function readAnthropicAnswer(text: string, reading: AnthropicReading): ReadAnswer {
  if (text.trim() === '') return { ok: false, problem: ANSWERED_NOTHING };
  const value = parseJson(text);
  if (value === undefined) return { ok: false, problem: 'the answer is not complete JSON' };
  const parsed = wholeWire.safeParse(value);
  if (!parsed.success) return { ok: false, problem: strangeAnswer(value) };
  const { content, stop_reason, usage } = parsed.data;
  const blocks = new AnthropicBlockReader();
  for (const [index, block] of content.entries()) blocks.begin(index, block);
  const counts = new TokenCounts();
  counts.take(usage);
  const stopReason = stop_reason ?? null;
  return { ok: true, answer: toAnswer({ blocks, stopReason, counts }, reading) };
}

/** Reads a streamed answer of `/v1/messages`. */
export function anthropicStreamReader(reading: AnthropicReading): StreamReader {
  return new AnthropicStreamReader(reading);
}

class AnthropicStreamReader implements StreamReader {
  isDone = false;
  private hasBegun = false;
  private stopReason: string | null = null;
  private readonly blocks = new AnthropicBlockReader();
  private readonly counts = new TokenCounts();

  constructor(private readonly reading: AnthropicReading) {}

  get hasCalls(): boolean {
    return this.blocks.hasCalls;
  }

  read(data: string, sink: DeltaSink): string | null {
    if (data === '[DONE]') {
      this.isDone = true; // not of this protocol, but some proxies add it
      return null;
    }
    const event = parseJson(data);
    if (!isJsonObject(event)) return `a part of the stream is not JSON: ${data}`;
    if (event['error'] || event['type'] === 'error') {
      return errorMessage(event) ?? JSON.stringify(event);
    }
    this.readEvent(event, sink);
    return null;
  }

  finish(): ReadAnswer {
    if (!this.hasBegun) return { ok: false, problem: ANSWERED_NOTHING };
    if (!this.isDone && this.stopReason === null) return { ok: false, problem: BROKE_OFF };
    const { blocks, counts, stopReason } = this;
    return { ok: true, answer: toAnswer({ blocks, counts, stopReason }, this.reading) };
  }

  /** Events of unknown types, and `ping`, are passed over, as the protocol asks of its readers. */
  private readEvent(event: JsonObject, sink: DeltaSink): void {
    switch (event['type']) {
      case 'message_start':
        this.hasBegun = true;
        if (isJsonObject(event['message'])) this.counts.take(event['message']['usage']);
        return;
      case 'content_block_start':
        this.hasBegun = true;
        return this.pass(this.blocks.begin(event['index'], event['content_block']), sink);
      case 'content_block_delta':
        this.hasBegun = true;
        return this.pass(this.blocks.add(event['index'], event['delta']), sink);
      case 'message_delta':
        this.hasBegun = true;
        return this.readEnding(event);
      case 'message_stop':
        this.isDone = true;
        return;
      default:
    }
  }

  private pass(piece: ShownPiece | null, sink: DeltaSink): void {
    if (piece === null || piece.text === '') return;
    if (piece.kind === 'text') sink.text(piece.text);
    else sink.reasoning(piece.text);
  }

  private readEnding(event: JsonObject): void {
    this.counts.take(event['usage']);
    const reason = isJsonObject(event['delta']) ? textField(event['delta']['stop_reason']) : '';
    if (reason !== '') this.stopReason = reason;
  }
}

interface AnswerParts {
  blocks: AnthropicBlockReader;
  stopReason: string | null;
  counts: TokenCounts;
}

function toAnswer(
  { blocks, stopReason, counts }: AnswerParts,
  { model, newCallId }: AnthropicReading,
): ModelAnswer {
  const { content, reasoning } = blocks;
  const toolCalls = blocks.toolCalls(newCallId);
  const items = blocks.sealedItems();
  const sealedReasoning = { protocol: ANTHROPIC_MESSAGES, model, items };
  return {
    message: {
      role: 'assistant',
      content,
      ...(reasoning === '' ? {} : { reasoning }),
      ...(items.length === 0 ? {} : { sealedReasoning }),
      ...(toolCalls.length === 0 ? {} : { toolCalls }),
    },
    stopReason: toStopReason(stopReason, toolCalls.length > 0),
    usage: counts.usage,
  };
}

/** The calls are what counts, whatever a server that imitates the protocol says beside them. */
function toStopReason(reason: string | null, hasCalls: boolean): StopReason {
  const known = reason === null ? 'stop' : (stopReasons[reason.toLowerCase()] ?? 'other');
  return hasCalls && (known === 'stop' || known === 'other') ? 'tool_calls' : known;
}

const countFields = [
  'input_tokens',
  'cache_creation_input_tokens',
  'cache_read_input_tokens',
  'output_tokens',
] as const;

/**
 * Usage comes in two parts, at the start and at the end, each with totals up to there; servers differ in
 * which part has what, and a later zero means that it was not said again. Input that went into the
 * provider's cache or came out of it is not among `input_tokens`.
 */
class TokenCounts {
  private readonly counts = new Map<string, number>();

  take(usage: unknown): void {
    if (!isJsonObject(usage)) return;
    for (const field of countFields) {
      const count = readTokens(usage[field]);
      if (count > 0) this.counts.set(field, count);
    }
  }

  get usage(): Usage {
    const [input = 0, written = 0, cached = 0, outputTokens = 0] = countFields.map(
      (field) => this.counts.get(field) ?? 0,
    );
    return readUsageOf(input + written + cached, outputTokens);
  }
}

function strangeAnswer(value: unknown): string {
  return errorMessage(value) ?? `the answer is not a message: ${JSON.stringify(value)}`;
}
