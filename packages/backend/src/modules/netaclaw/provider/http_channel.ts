import { randomUUID } from 'node:crypto';
import { EgressRefused, parseEgressUrl, type EgressClient } from '../../base/net/egress.js';
import {
  ModelError,
  type ChatModel,
  type ModelOptions,
  type ModelRequest,
} from '../runtime/port.js';
import { secretMasker } from '../runtime/provider/mask_secrets.js';
import type { AnswerFormat } from './answer_body.js';
import { HttpChatModel } from './http_chat_model.js';
import type { RetryClockwork, RetryPolicy } from './retry.js';

/** Everything about a channel whose model is asked over HTTP. */
export interface HttpChannel {
  /** Its query is kept. */
  baseUrl: string;
  apiKey: string | null;
  /** Sent beside our own; they may replace `accept`, `user-agent` and what a protocol sets by default. */
  headers: Readonly<Record<string, string>>;
  /** For the first byte and for each silence after it; null takes two minutes. */
  timeoutMs: number | null;
  options: ModelOptions;
  acceptsImages: boolean;
  egress: EgressClient;
  retry?: { policy?: RetryPolicy; clockwork?: RetryClockwork };
}

/** What a body depends on besides messages and tools. */
export interface BodyStyle {
  options: ModelOptions;
  acceptsImages: boolean;
  /** Where it goes: a few providers of one protocol differ in a field. */
  host: string;
}

/** How one protocol is spoken over HTTP. */
export interface WireProtocol {
  /** Joined to the path of the channel's base URL; a version it begins with may stand there already. */
  path: string;
  /** Headers of the protocol that a channel may replace. */
  headers: Readonly<Record<string, string>>;
  /** The headers that carry the key. */
  keyHeaders(apiKey: string): Record<string, string>;
  /** Makes the function that turns a request into the pieces of a body, in order. */
  bodyMaker(style: BodyStyle): (request: ModelRequest) => readonly string[];
  /** How the answers of this model are read; its name marks what only it can take back. */
  answerFormat(model: string): AnswerFormat;
}

const DEFAULT_TIMEOUT_MS = 120_000;

/**
 * The model behind a channel. Keep it as long as its channel does not change. Throws `ModelError`
 * when the address is none.
 */
export function createHttpChatModel(protocol: WireProtocol, channel: HttpChannel): ChatModel {
  const url = urlOf(channel.baseUrl, protocol.path);
  const { options, acceptsImages } = channel;
  return new HttpChatModel({
    name: options.model,
    url,
    headers: headersOf(protocol, channel),
    timeoutMs: channel.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    makeBody: protocol.bodyMaker({ options, acceptsImages, host: url.hostname }),
    format: protocol.answerFormat(options.model),
    mask: secretMasker([
      channel.apiKey ?? '',
      ...Object.values(channel.headers),
      ...url.searchParams.values(),
    ]),
    egress: channel.egress,
    ...channel.retry,
  });
}

function urlOf(baseUrl: string, path: string): URL {
  try {
    const url = parseEgressUrl(baseUrl);
    url.pathname = joinedPath(url.pathname, path);
    return url;
  } catch (error) {
    if (error instanceof EgressRefused) throw new ModelError(error.message);
    throw error;
  }
}

/** A version that the base URL already ends in is not said twice. */
function joinedPath(base: string, path: string): string {
  const trimmed = base.replace(/\/+$/, '');
  const version = /^\/v\d+(?=\/)/.exec(path)?.[0];
  const isSaid = version !== undefined && trimmed.endsWith(version);
  return trimmed + (isSaid ? path.slice(version.length) : path);
}

function headersOf(
  protocol: WireProtocol,
  { apiKey, headers }: HttpChannel,
): Record<string, string> {
  const given = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    accept: 'application/json, text/event-stream',
    'user-agent': 'netaclaw',
    ...protocol.headers,
    ...Object.fromEntries(given),
    'content-type': 'application/json',
    ...(apiKey ? protocol.keyHeaders(apiKey) : {}),
  };
}

/** An id for a call that came without one. */
export const newCallId = (): string => `call_${randomUUID().replaceAll('-', '').slice(0, 24)}`;
