import { randomUUID } from 'node:crypto';
import { EgressRefused, parseEgressUrl, type EgressClient } from '../../base/net/egress.js';
import { ModelError, type ChatModel, type ModelOptions } from '../runtime/port.js';
import { openAiStreamReader, readOpenAiAnswer } from '../runtime/provider/from_openai.js';
import { secretMasker } from '../runtime/provider/mask_secrets.js';
import { openAiBodyMaker } from '../runtime/provider/to_openai.js';
import type { AnswerFormat } from './answer_body.js';
import { HttpChatModel } from './http_chat_model.js';
import type { RetryClockwork, RetryPolicy } from './retry.js';

/** Everything about a channel that speaks `/chat/completions`. */
export interface OpenAiChatOptions {
  /** Ends in `/v1` as a rule; its query is kept. */
  baseUrl: string;
  apiKey: string | null;
  /** Sent beside our own; they may replace `accept` and `user-agent`. */
  headers: Readonly<Record<string, string>>;
  /** For the first byte and for each silence after it; null takes two minutes. */
  timeoutMs: number | null;
  options: ModelOptions;
  acceptsImages: boolean;
  egress: EgressClient;
  retry?: { policy?: RetryPolicy; clockwork?: RetryClockwork };
}

const DEFAULT_TIMEOUT_MS = 120_000;

const format: AnswerFormat = {
  streamReader: () => openAiStreamReader(newCallId),
  readWhole: (text) => readOpenAiAnswer(text, newCallId),
};

/**
 * A model behind `/chat/completions`: OpenAI, LiteLLM, vLLM, Ollama, DeepSeek, Qwen and others.
 * Keep it as long as its channel does not change. Throws `ModelError` when the address is none.
 */
export function createOpenAiChatModel(channel: OpenAiChatOptions): ChatModel {
  const url = completionsUrl(channel.baseUrl);
  const makeBody = openAiBodyMaker({
    options: channel.options,
    acceptsImages: channel.acceptsImages,
    limitField: limitFieldOf(url),
  });
  return new HttpChatModel({
    name: channel.options.model,
    url,
    headers: headersOf(channel),
    timeoutMs: channel.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    makeBody,
    format,
    mask: secretMasker([channel.apiKey ?? '', ...Object.values(channel.headers)]),
    egress: channel.egress,
    ...channel.retry,
  });
}

function completionsUrl(baseUrl: string): URL {
  try {
    const url = parseEgressUrl(baseUrl);
    url.pathname = `${url.pathname.replace(/\/+$/, '')}/chat/completions`;
    return url;
  } catch (error) {
    if (error instanceof EgressRefused) throw new ModelError(error.message);
    throw error;
  }
}

/** OpenAI's newer models refuse `max_tokens`; servers that imitate the protocol mostly know only that. */
function limitFieldOf(url: URL): 'max_tokens' | 'max_completion_tokens' {
  return /(^|\.)openai\.(azure\.)?com$/.test(url.hostname) ? 'max_completion_tokens' : 'max_tokens';
}

function headersOf({ apiKey, headers }: OpenAiChatOptions): Record<string, string> {
  const given = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    accept: 'application/json, text/event-stream',
    'user-agent': 'netaclaw',
    ...Object.fromEntries(given),
    'content-type': 'application/json',
    ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}),
  };
}

function newCallId(): string {
  return `call_${randomUUID().replaceAll('-', '').slice(0, 24)}`;
}
