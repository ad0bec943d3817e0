import { z } from 'zod';
import type { ToolCall, Usage } from '@netaclaw/contracts';
import type { ModelAnswer, StopReason } from '../port.js';
import { NO_USAGE, readUsageOf } from '../usage.js';
import {
  ANSWERED_NOTHING,
  BROKE_OFF,
  type DeltaSink,
  type NewCallId,
  type ReadAnswer,
  type StreamReader,
} from './answer_reader.js';
import { CallAssembler } from './call_assembler.js';
import { isJsonObject, parseJson, textField } from './json_value.js';
import { errorMessage } from './provider_error.js';
import { sealed } from './sealed_reasoning.js';
import { OPENAI_CHAT } from './to_openai.js';

const stopReasons: Readonly<Record<string, StopReason>> = {
  stop: 'stop',
  eos: 'stop',
  end_turn: 'stop',
  tool_calls: 'tool_calls',
  function_call: 'tool_calls',
  length: 'length',
  max_tokens: 'length',
  content_filter: 'content_filter',
};

const wholeWire = z.looseObject({
  choices: z
    .array(
      z.looseObject({
        message: z.record(z.string(), z.unknown()),
        finish_reason: z.string().nullish().catch(null),
      }),
    )
    .min(1),
  usage: z.unknown().optional(),
});

/** Whose answers are read, and how a call without an id gets one. */
export interface OpenAiSource {
  model: string;
  newCallId: NewCallId;
}

/** Reads a whole answer of `/chat/completions`, whatever its text is. Never throws. */
export function readOpenAiAnswer(text: string, { model, newCallId }: OpenAiSource): ReadAnswer {
  if (text.trim() === '') return { ok: false, problem: ANSWERED_NOTHING };
  const value = parseJson(text);
  if (value === undefined) return { ok: false, problem: 'the answer is not complete JSON' };
  const parsed = wholeWire.safeParse(value);
  const choice = parsed.success ? parsed.data.choices[0] : undefined;
  if (!parsed.success || !choice) return { ok: false, problem: strangeAnswer(value) };
  const calls = new CallAssembler();
  calls.addWhole(choice.message['tool_calls']);
  const answer = toAnswer({
    content: contentText(choice.message['content']) || textField(choice.message['refusal']),
    reasoning: reasoningText(choice.message),
    returnable: textField(choice.message['reasoning_content']),
    model,
    toolCalls: calls.finish(newCallId),
    finishReason: choice.finish_reason ?? null,
    usage: readUsage(parsed.data.usage),
  });
  return { ok: true, answer };
}

/** Reads a streamed answer of `/chat/completions`. */
export function openAiStreamReader(source: OpenAiSource): StreamReader {
  return new OpenAiStreamReader(source);
}

/** Chunks come by the thousand, so they are read by hand where a whole answer goes through zod. */
class OpenAiStreamReader implements StreamReader {
  private content = '';
  private reasoning = '';
  private returnable = '';
  private finishReason: string | null = null;
  private usage = NO_USAGE;
  isDone = false;
  private hasChoice = false;
  private readonly calls = new CallAssembler();

  constructor(private readonly source: OpenAiSource) {}

  get hasCalls(): boolean {
    return !this.calls.isEmpty;
  }

  read(data: string, sink: DeltaSink): string | null {
    if (data === '[DONE]') {
      this.isDone = true;
      return null;
    }
    const chunk = parseJson(data);
    if (!isJsonObject(chunk)) return `a part of the stream is not JSON: ${data}`;
    if (isJsonObject(chunk['usage'])) this.usage = readUsage(chunk['usage']);
    const { choices } = chunk;
    if (!Array.isArray(choices)) return errorMessage(chunk);
    if (chunk['error']) return errorMessage(chunk);
    const choice: unknown = choices[0];
    if (isJsonObject(choice)) this.readChoice(choice, sink);
    return null;
  }

  finish(): ReadAnswer {
    if (!this.hasChoice) return { ok: false, problem: ANSWERED_NOTHING };
    if (!this.isDone && this.finishReason === null) return { ok: false, problem: BROKE_OFF };
    const answer = toAnswer({
      content: this.content,
      reasoning: this.reasoning,
      returnable: this.returnable,
      model: this.source.model,
      toolCalls: this.calls.finish(this.source.newCallId),
      finishReason: this.finishReason,
      usage: this.usage,
    });
    return { ok: true, answer };
  }

  private readChoice(choice: Readonly<Record<string, unknown>>, sink: DeltaSink): void {
    this.hasChoice = true;
    const reason = textField(choice['finish_reason']);
    if (reason !== '') this.finishReason = reason;
    // A server that does not stream after all may send the message where the delta belongs.
    const delta = choice['delta'] ?? choice['message'];
    if (isJsonObject(delta)) this.readDelta(delta, sink);
  }

  private readDelta(delta: Readonly<Record<string, unknown>>, sink: DeltaSink): void {
    const reasoning = reasoningText(delta);
    if (reasoning !== '') {
      this.reasoning += reasoning;
      sink.reasoning(reasoning);
    }
    this.returnable += textField(delta['reasoning_content']);
    const text = contentText(delta['content']) || textField(delta['refusal']);
    if (text !== '') {
      this.content += text;
      sink.text(text);
    }
    if (delta['tool_calls']) this.calls.addPieces(delta['tool_calls']);
  }
}

interface AnswerParts {
  content: string;
  reasoning: string;
  /** Reasoning under the one name whose servers may want it back. */
  returnable: string;
  model: string;
  toolCalls: ToolCall[];
  finishReason: string | null;
  usage: Usage;
}

function toAnswer({
  content,
  reasoning,
  returnable,
  model,
  toolCalls,
  finishReason,
  usage,
}: AnswerParts): ModelAnswer {
  const items = returnable === '' ? [] : [{ reasoning_content: returnable }];
  return {
    message: {
      role: 'assistant',
      content,
      ...(reasoning === '' ? {} : { reasoning }),
      ...sealed({ protocol: OPENAI_CHAT, model }, items, toolCalls.length > 0),
      ...(toolCalls.length === 0 ? {} : { toolCalls }),
    },
    stopReason: toStopReason(finishReason, toolCalls.length > 0),
    usage,
  };
}

/** Several servers say `stop` or nothing beside calls; the calls are what counts. */
function toStopReason(reason: string | null, hasCalls: boolean): StopReason {
  const known = reason === null ? 'stop' : (stopReasons[reason.toLowerCase()] ?? 'other');
  return hasCalls && (known === 'stop' || known === 'other') ? 'tool_calls' : known;
}

const readUsage = (usage: unknown): Usage =>
  isJsonObject(usage)
    ? readUsageOf(usage['prompt_tokens'], usage['completion_tokens'], usage['total_tokens'])
    : NO_USAGE;

/** DeepSeek and vLLM say `reasoning_content`; OpenRouter, Ollama and newer vLLM `reasoning`. */
function reasoningText(message: Readonly<Record<string, unknown>>): string {
  return textField(message['reasoning_content']) || textField(message['reasoning']);
}

/** Content is a string, null, or an array of parts with text. */
function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: unknown) => partText(part)).join('');
}

function partText(part: unknown): string {
  if (typeof part === 'string') return part;
  return isJsonObject(part) ? textField(part['text']) : '';
}

function strangeAnswer(value: unknown): string {
  return errorMessage(value) ?? `the answer is not a chat completion: ${JSON.stringify(value)}`;
}
