import type { Usage } from '@netaclaw/contracts';
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
import { isJsonObject, parseJson, textField, type JsonObject } from './json_value.js';
import { errorMessage } from './provider_error.js';
import { ResponseItems } from './response_items.js';
import { sealed } from './sealed_reasoning.js';
import { OPENAI_RESPONSES } from './to_responses.js';

/** Whose answers are read, and how a call without an id gets one. */
export interface ResponsesSource {
  model: string;
  newCallId: NewCallId;
}

const incompleteReasons: Readonly<Record<string, StopReason>> = {
  max_output_tokens: 'length',
  max_tokens: 'length',
  content_filter: 'content_filter',
};

const WORDLESS = 'the provider failed without a word why';
const SILENT: DeltaSink = { text() {}, reasoning() {} };

/** Reads a whole answer of `/responses`, whatever its text is. Never throws. */
export function readResponsesAnswer(text: string, source: ResponsesSource): ReadAnswer {
  if (text.trim() === '') return { ok: false, problem: ANSWERED_NOTHING };
  const value = parseJson(text);
  if (value === undefined) return { ok: false, problem: 'the answer is not complete JSON' };
  if (!isJsonObject(value) || !Array.isArray(value['output'])) {
    return { ok: false, problem: errorMessage(value) ?? strangeAnswer(value) };
  }
  const problem = failureOf(value);
  if (problem !== null) return { ok: false, problem };
  const items = new ResponseItems();
  items.takeAll(value['output'], SILENT);
  return { ok: true, answer: toAnswer(items, value, source) };
}

/** Reads a streamed answer of `/responses`. */
export function responsesStreamReader(source: ResponsesSource): StreamReader {
  return new ResponsesStreamReader(source);
}

class ResponsesStreamReader implements StreamReader {
  private readonly items = new ResponseItems();
  private hasBegun = false;
  /** The response as its last event shows it. */
  private response: JsonObject | null = null;

  constructor(private readonly source: ResponsesSource) {}

  get isDone(): boolean {
    return this.response !== null;
  }

  get hasCalls(): boolean {
    return this.items.hasCalls;
  }

  read(data: string, sink: DeltaSink): string | null {
    if (data === '[DONE]') return null;
    const event = parseJson(data);
    if (!isJsonObject(event)) return `a part of the stream is not JSON: ${data}`;
    const type = textField(event['type']);
    if (type === 'error') return errorMessage(event) ?? WORDLESS;
    if (type === '') return errorMessage(event);
    this.hasBegun = true;
    return this.readEvent(type, event, sink);
  }

  finish(): ReadAnswer {
    if (this.response) {
      return { ok: true, answer: toAnswer(this.items, this.response, this.source) };
    }
    return { ok: false, problem: this.hasBegun ? BROKE_OFF : ANSWERED_NOTHING };
  }

  /** Events beyond these say nothing that is needed, or say it again. */
  private readEvent(type: string, event: JsonObject, sink: DeltaSink): string | null {
    switch (type) {
      case 'response.output_text.delta':
      case 'response.refusal.delta':
        this.items.text(event, sink);
        return null;
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        this.items.thought(event, sink);
        return null;
      case 'response.function_call_arguments.delta':
        this.items.argumentsPiece(event);
        return null;
      case 'response.function_call_arguments.done':
        this.items.argumentsEnd(event);
        return null;
      case 'response.output_item.added':
        this.items.begin(event);
        return null;
      case 'response.output_item.done':
        this.items.end(event, sink);
        return null;
      case 'response.completed':
        return this.readEnd({ ...responseOf(event), status: 'completed' }, sink);
      case 'response.incomplete':
        return this.readEnd({ ...responseOf(event), status: 'incomplete' }, sink);
      case 'response.failed':
        return errorMessage(responseOf(event)) ?? errorMessage(event) ?? WORDLESS;
      default:
        return null;
    }
  }

  private readEnd(response: JsonObject, sink: DeltaSink): string | null {
    const problem = failureOf(response);
    if (problem !== null) return problem;
    // A server that streams nothing but the end.
    if (this.items.isEmpty) this.items.takeAll(response['output'], sink);
    this.response = response;
    return null;
  }
}

function responseOf({ response }: JsonObject): JsonObject {
  return isJsonObject(response) ? response : {};
}

/** Why a response holds no answer; null when it does, complete or cut short. */
function failureOf(response: JsonObject): string | null {
  const error = errorMessage(response);
  if (error !== null) return error;
  const status = textField(response['status']) || 'completed';
  if (status === 'completed' || status === 'incomplete') return null;
  return `the provider left the response ${status}, without a word why`;
}

function strangeAnswer(value: unknown): string {
  return `the answer is not a response: ${JSON.stringify(value)}`;
}

function toAnswer(
  items: ResponseItems,
  response: JsonObject,
  { model, newCallId }: ResponsesSource,
): ModelAnswer {
  const { content, reasoning } = items;
  const toolCalls = items.calls(newCallId);
  const owner = { protocol: OPENAI_RESPONSES, model };
  return {
    message: {
      role: 'assistant',
      content,
      ...(reasoning === '' ? {} : { reasoning }),
      ...sealed(owner, items.sealed, toolCalls.length > 0),
      ...(toolCalls.length === 0 ? {} : { toolCalls }),
    },
    stopReason: toStopReason(response, toolCalls.length > 0),
    usage: readUsage(response['usage']),
  };
}

function toStopReason(response: JsonObject, hasCalls: boolean): StopReason {
  if (response['status'] !== 'incomplete') return hasCalls ? 'tool_calls' : 'stop';
  const details = response['incomplete_details'];
  const reason = isJsonObject(details) ? textField(details['reason']) : '';
  return incompleteReasons[reason] ?? 'other';
}

const readUsage = (usage: unknown): Usage =>
  isJsonObject(usage)
    ? readUsageOf(usage['input_tokens'], usage['output_tokens'], usage['total_tokens'])
    : NO_USAGE;
