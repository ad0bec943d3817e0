import http, { type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * A model provider that plays a script: a real HTTP server on a free port of 127.0.0.1.
 *
 *     const provider = await startScriptedProvider();
 *     provider.script(calls({ name: 'list_dir', arguments: '{}' }), text('All done.'));
 *     // … point a channel at provider.baseUrl, with EGRESS_ALLOW=provider.host …
 *     expect(provider.requests[1]?.body.messages).toHaveLength(4);
 *     await provider.close();
 *
 * Each request takes the next reply of the script; when the script is over, the fallback answers
 * (`text('ok')`, or what `otherwise` was given). `text` and `calls` answer as the request asks: as a
 * stream or whole. The others say exactly what goes over the wire, faults included.
 */
export interface ScriptedProvider {
  /** To be a channel's `baseUrl`; ends in `/v1`. */
  readonly baseUrl: string;
  /** `127.0.0.1:port`, as an entry of `EGRESS_ALLOW`. */
  readonly host: string;
  /** What was asked so far, oldest first. */
  readonly requests: readonly RecordedRequest[];
  /** How many requests were broken off by the client. */
  readonly abandoned: number;
  /** How many connections were opened. */
  readonly connections: number;
  /** Adds replies for the coming requests. */
  script(...replies: Reply[]): void;
  /** Sets the reply for requests beyond the script. */
  otherwise(reply: Reply): void;
  /** Resolves when `condition` holds; rejects after five seconds. */
  until(condition: () => boolean): Promise<void>;
  close(): Promise<void>;
}

interface RecordedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** The body as it came. */
  text: string;
  /** The body as JSON; an empty object when it is none. */
  body: ChatBody;
}

/** The fields of a request that tests look at; nothing is checked here. */
interface ChatBody {
  model?: string;
  stream?: boolean;
  messages?: { role: string; content?: unknown; tool_calls?: unknown[]; tool_call_id?: string }[];
  tools?: { type: string; function: { name: string; description: string; parameters: unknown } }[];
  [field: string]: unknown;
}

/** Answers one request in whatever way. */
export type Reply = (response: ServerResponse, request: RecordedRequest) => void | Promise<void>;

export interface ScriptedCall {
  name: string;
  /** JSON text, or what a confused model takes for it. */
  arguments?: string;
  id?: string;
}

let callCount = 0;

/** A final answer in words. Streamed, each word is a chunk, `delayMs` apart. */
export function text(content: string, { delayMs = 0 } = {}): Reply {
  return (response, request) => {
    if (!request.body.stream) return send(response, completion({ content }, 'stop'));
    const deltas = content.split(/(?<=\s)(?=\S)/).map((piece) => chunk({ content: piece }));
    return stream([...deltas, chunk({}, 'stop'), usageChunk], { delayMs })(response, request);
  };
}

/** An answer that calls tools, all at once. */
export function calls(...given: ScriptedCall[]): Reply {
  const toolCalls = given.map((call, index) => ({
    index,
    id: call.id ?? `call_scripted_${++callCount}`,
    type: 'function',
    function: { name: call.name, arguments: call.arguments ?? '{}' },
  }));
  return (response, request) => {
    if (!request.body.stream) {
      const message = { content: null, tool_calls: toolCalls };
      return send(response, completion(message, 'tool_calls'));
    }
    const deltas = toolCalls.map((call) => chunk({ tool_calls: [call] }));
    return stream([...deltas, chunk({}, 'tool_calls'), usageChunk])(response, request);
  };
}

/** Any JSON with any status. */
export function json(value: unknown, init: ReplyInit = {}): Reply {
  return (response) => send(response, value, init);
}

/** An error as OpenAI words it. */
export function failure(status: number, message: string, headers = {}): Reply {
  const error = { message, type: 'server_error', param: null, code: null };
  return json({ error }, { status, headers });
}

/** Any body with any status and content type: pages, truncated JSON, nothing at all. */
export function raw(body: string, init: ReplyInit & { contentType?: string } = {}): Reply {
  return (response) => {
    const type = init.contentType ? { 'content-type': init.contentType } : {};
    response.writeHead(init.status ?? 200, { ...type, ...init.headers });
    response.end(body);
  };
}

/** An error page of a proxy. */
export function htmlPage(status: number, title = 'Bad Gateway'): Reply {
  const body = `<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`;
  return raw(body, { status, contentType: 'text/html' });
}

/** A whole answer that is cut off in the middle. */
export function truncatedJson(): Reply {
  const whole = JSON.stringify(completion({ content: 'this will not arrive' }, 'stop'));
  return raw(whole.slice(0, whole.length / 2), { contentType: 'application/json' });
}

/** An empty body. */
export function nothing(contentType = 'text/event-stream'): Reply {
  return raw('', { contentType });
}

/** Sends the client to another address. */
export function redirect(location: string, status = 307): Reply {
  return raw('', { status, headers: { location } });
}

/**
 * Server-sent events, each value as JSON. `ending` says how it ends: `done` with `[DONE]`, `end` without
 * it (half a stream), `reset` with a broken connection, `stall` not at all. `oneWrite` sends all in
 * one piece.
 */
export function stream(values: readonly unknown[], options: StreamOptions = {}): Reply {
  const events = values.map((value) => `data: ${JSON.stringify(value)}\n\n`);
  if ((options.ending ?? 'done') === 'done') events.push('data: [DONE]\n\n');
  return rawStream(events, options);
}

/** A stream of events in whatever form; `done` ends it as `end` does. */
export function rawStream(events: readonly string[], options: StreamOptions = {}): Reply {
  const { ending = 'done', delayMs = 0, oneWrite = false } = options;
  return async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of oneWrite ? [events.join('')] : events) {
      if (event !== '') await write(response, event);
      if (delayMs > 0) await wait(delayMs);
    }
    if (ending === 'reset') response.destroy();
    else if (ending !== 'stall') response.end();
  };
}

export interface StreamOptions {
  ending?: 'done' | 'end' | 'reset' | 'stall';
  delayMs?: number;
  oneWrite?: boolean;
}

export interface ReplyInit {
  status?: number;
  headers?: Record<string, string>;
}

/** Breaks the connection before a byte is sent. */
export const reset: Reply = (response) => {
  response.socket?.resetAndDestroy();
};

/** Never answers; the connection stays open until the client or the test leaves. */
export const stall: Reply = () => {};

/** One `chat.completion.chunk` with this delta. */
export function chunk(delta: object, finishReason: string | null = null) {
  const choice = { index: 0, delta, logprobs: null, finish_reason: finishReason };
  return { ...envelope('chat.completion.chunk'), choices: [choice] };
}

/** The chunk that `stream_options.include_usage` asks for. */
export const usageChunk = {
  ...envelope('chat.completion.chunk'),
  choices: [],
  usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
};

/** One whole `chat.completion` with this message. */
export function completion(message: object, finishReason: string) {
  return {
    ...envelope('chat.completion'),
    choices: [
      {
        index: 0,
        message: { role: 'assistant', refusal: null, ...message },
        logprobs: null,
        finish_reason: finishReason,
      },
    ],
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  };
}

export async function startScriptedProvider(): Promise<ScriptedProvider> {
  const replies: Reply[] = [];
  const requests: RecordedRequest[] = [];
  const counts = { abandoned: 0, connections: 0 };
  let fallback: Reply = text('ok');
  const server = http.createServer(async (request, response) => {
    response.on('close', () => {
      if (!response.writableFinished) counts.abandoned++;
    });
    const recorded = await record(request);
    requests.push(recorded);
    await (replies.shift() ?? fallback)(response, recorded);
  });
  server.on('connection', () => counts.connections++);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const host = `127.0.0.1:${address.port}`;
  return {
    baseUrl: `http://${host}/v1`,
    host,
    requests,
    get abandoned() {
      return counts.abandoned;
    },
    get connections() {
      return counts.connections;
    },
    script: (...more) => void replies.push(...more),
    otherwise(reply) {
      fallback = reply;
    },
    until,
    close: () => closeServer(server),
  };
}

function envelope(object: string) {
  return { id: 'chatcmpl-scripted', object, created: 1_760_000_000, model: 'scripted' };
}

async function record(request: http.IncomingMessage): Promise<RecordedRequest> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(Buffer.from(piece));
  const body = Buffer.concat(pieces).toString('utf8');
  const { method = '', url = '', headers } = request;
  return { method, path: url, headers, text: body, body: parseBody(body) };
}

function parseBody(body: string): ChatBody {
  try {
    return JSON.parse(body);
  } catch {
    return {};
  }
}

function send(response: ServerResponse, value: unknown, { status = 200, headers }: ReplyInit = {}) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(value));
}

/** Resolves when the piece is on its way, so that a reset after it does not swallow it. */
function write(response: ServerResponse, piece: string): Promise<void> {
  return new Promise((resolve) => {
    response.write(piece, () => resolve());
  });
}

async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 5_000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error('the condition did not come true in time');
    await wait(5);
  }
}

async function closeServer(server: http.Server): Promise<void> {
  server.closeAllConnections();
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
}
