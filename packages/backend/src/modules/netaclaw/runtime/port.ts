import type {
  AssistantMessage,
  ChannelParams,
  Message,
  ToolCall,
  Usage,
} from '@netaclaw/contracts';

/** A tool as a model is told of it. The object is kept by the registry, so converters may cache by identity. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema (draft 2020-12) of an object. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface ModelRequest {
  messages: readonly Message[];
  /** How many of the first messages are sent even where the rest has to be cut to a window. */
  always?: number;
  /** Empty: the model must answer in words. */
  tools: readonly OfferedTool[];
  /** Deltas as they come; else the answer arrives whole. */
  stream: boolean;
  /** Rounds of tool calls that this turn has had, those that the context has no room for too. */
  roundsDone?: number;
}

/** Why a model stopped. `other` covers words that no protocol defines. */
export type StopReason = 'stop' | 'tool_calls' | 'length' | 'content_filter' | 'other';

export interface ModelAnswer {
  message: AssistantMessage;
  stopReason: StopReason;
  usage: Usage;
}

/** What a model says on the way: deltas in order, then exactly one `answer`, which holds them all. */
export type ModelEvent =
  | { type: 'text-delta'; text: string }
  | { type: 'reasoning-delta'; text: string }
  /** `model`: whose answer it is, when another stood in for the one that was asked. */
  | { type: 'answer'; answer: ModelAnswer; model?: string };

/**
 * One way to reach one model.
 *
 * `call` throws nothing but `ModelError`, or the signal's reason once it is aborted. It retries by
 * itself only before the first event. Abandoning the iteration ends the request.
 */
export interface ChatModel {
  /** The model's name, as run logs show it. */
  readonly name: string;
  /** True for the built-in rehearsal, which must be labelled as such wherever it speaks. */
  readonly rehearsal: boolean;
  call(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

/** How a channel asks its model: everything but messages and tools. */
export interface ModelOptions {
  model: string;
  maxOutputTokens: number | null;
  params: ChannelParams;
}

/** What a model or the way to it answered instead of an answer; `message` is for people and holds no secret. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  constructor(
    message: string,
    /** HTTP status of the provider, where there was one. */
    readonly status: number | null = null,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /** Part of an answer had come, of which no event tells: a call. No other model may begin it again. */
  get hasBegun(): boolean {
    return false;
  }
}

/** What a tool gives back. A failure is a value: `error` with a text that the model can act on. */
export interface ToolOutput {
  /** `timeout`: the tool itself ended what it did at a limit, and says what there is. */
  status: 'ok' | 'error' | 'timeout';
  content: string;
  /** The run ends after this round and this text is its reply: a question to the user, for example. */
  reply?: string;
}

/** The circumstances of one call. */
export interface ToolCallContext {
  callId: string;
  /** Aborted at the deadline and when the run is cancelled; the tool ends what it started. */
  signal: AbortSignal;
  /** Milliseconds this call may take. */
  timeoutMs: number;
}

/** Arguments that fit a tool's schema, or the sentences that say where they do not. */
export type ParsedArguments = { ok: true; value: unknown } | { ok: false; problem: string };

/**
 * A tool that can be executed. `execute` gets what `parse` returned. It may throw: the loop turns
 * that into an error result with the error's message.
 */
export interface AgentTool {
  readonly name: string;
  /** Never beside other calls of the same answer. */
  readonly sequential: boolean;
  /** The tool's own limit in milliseconds; the loop takes the smallest that applies. */
  readonly timeoutMs: number | null;
  /** Bytes of a result that reach the model; null: the limit of all tools. */
  readonly maxResultBytes: number | null;
  parse(value: unknown): ParsedArguments;
  execute(input: unknown, context: ToolCallContext): Promise<ToolOutput>;
}

/** Keeps a result that is too long, as the tool returned it; returns the path that `read_file` reaches, or null. */
export type SpillResult = (call: ToolCall, text: string) => Promise<string | null>;

/** The only clock of the core: milliseconds since 1970, UTC. */
export type Clock = () => number;
