import {
  json,
  stream,
  type Reply,
  type ReplyInit,
  type ScriptedCall,
  type StreamOptions,
} from './scripted_provider.js';

/**
 * Replies in the form of `/responses`, for the script of a `ScriptedProvider`. Its other replies
 * (`failure`, `htmlPage`, `reset`, …) belong to no protocol and serve here as well.
 */

type Item = Readonly<Record<string, unknown>>;

let count = 0;

/** A final answer in words. Streamed, each word is a delta, `delayMs` apart. */
export function text(content: string, options: StreamOptions = {}): Reply {
  return answer([said(content)], options);
}

/** An answer that calls tools. */
export function calls(...given: ScriptedCall[]): Reply {
  return answer(given.map(call));
}

/** An answer of these items, as a stream or whole, as the request asks. */
export function answer(items: readonly Item[], options: StreamOptions = {}): Reply {
  return (response, request) => {
    const reply = request.body.stream
      ? events(answerEvents(items), options)
      : json(responseOf(items));
    return reply(response, request);
  };
}

/** A stream of exactly these events; it ends as the server's do, without `[DONE]`. */
export const events = (given: readonly Item[], options: StreamOptions = {}): Reply =>
  stream(given, { ending: 'end', ...options });

/** A whole answer that is cut off in the middle. */
export function truncated(init: ReplyInit = {}): Reply {
  const whole = JSON.stringify(responseOf([said('this will not arrive')]));
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/json', ...init.headers });
    response.end(whole.slice(0, whole.length / 2));
  };
}

/** An output message. */
export const said = (content: string): Item => ({
  type: 'message',
  id: `msg_scripted${++count}`,
  status: 'completed',
  role: 'assistant',
  content: [{ type: 'output_text', text: content, annotations: [], logprobs: [] }],
});

/** A call. */
export const call = ({ name, arguments: text = '{}', id }: ScriptedCall): Item => ({
  type: 'function_call',
  id: `fc_scripted${++count}`,
  call_id: id ?? `call_scripted_${count}`,
  name,
  arguments: text,
  status: 'completed',
});

/** Reasoning: its summary in words, itself sealed. */
export const reasoned = (summary: string, encrypted: string | null = 'c2VhbGVk'): Item => ({
  type: 'reasoning',
  id: `rs_scripted${++count}`,
  summary: summary === '' ? [] : [{ type: 'summary_text', text: summary }],
  encrypted_content: encrypted,
});

/** A whole response with this output. */
export const responseOf = (output: readonly Item[], more: Item = {}): Item => ({
  id: 'resp_scripted',
  object: 'response',
  created_at: 1_760_000_000,
  status: 'completed',
  error: null,
  incomplete_details: null,
  instructions: null,
  model: 'scripted',
  output,
  parallel_tool_calls: true,
  previous_response_id: null,
  store: false,
  usage: {
    input_tokens: 10,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 5,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 15,
  },
  ...more,
});

/** The events of a stream that brings these items, numbered as the server numbers them. */
export function answerEvents(items: readonly Item[], end = completed(items)): Item[] {
  const begin = responseOf([], { status: 'in_progress', usage: null });
  return [
    { type: 'response.created', response: begin },
    { type: 'response.in_progress', response: begin },
    ...items.flatMap(itemEvents),
    end,
  ].map((event, index) => ({ ...event, sequence_number: index }));
}

/** The event that ends a stream as it should end. */
export const completed = (items: readonly Item[]): Item => ({
  type: 'response.completed',
  response: responseOf(items),
});

/** The event that ends a stream that was cut short. */
export const incomplete = (items: readonly Item[], reason: string): Item => ({
  type: 'response.incomplete',
  response: responseOf(items, { status: 'incomplete', incomplete_details: { reason } }),
});

/** The event of a response that failed in mid-stream. */
export const failed = (message: string, code = 'server_error'): Item => ({
  type: 'response.failed',
  response: responseOf([], { status: 'failed', error: { code, message }, usage: null }),
});

/** A piece of text of the item at this place. */
export const textDelta = (delta: string, at: Item = {}): Item => ({
  type: 'response.output_text.delta',
  item_id: 'msg_1',
  output_index: 0,
  content_index: 0,
  delta,
  logprobs: [],
  ...at,
});

function itemEvents(item: Item, index: number): Item[] {
  const place = { output_index: index };
  const at = { item_id: item['id'], ...place };
  return [
    {
      type: 'response.output_item.added',
      ...place,
      item: { ...item, ...emptyFields(item), status: 'in_progress' },
    },
    ...innerEvents(item, at),
    { type: 'response.output_item.done', ...place, item },
  ];
}

function emptyFields({ type }: Item): Item {
  if (type === 'message') return { content: [] };
  return type === 'function_call' ? { arguments: '' } : { summary: [], encrypted_content: null };
}

function innerEvents(item: Item, at: Item): Item[] {
  switch (item['type']) {
    case 'message':
      return textsOf(item['content']).flatMap((text) => [
        ...words(text).map((delta) => textDelta(delta, at)),
        { type: 'response.output_text.done', ...at, content_index: 0, text, logprobs: [] },
      ]);
    case 'function_call':
      return callEvents(String(item['arguments']), at);
    default:
      return textsOf(item['summary']).flatMap((text, index) =>
        words(text).map((delta) => ({
          type: 'response.reasoning_summary_text.delta',
          ...at,
          summary_index: index,
          delta,
        })),
      );
  }
}

function callEvents(text: string, at: Item): Item[] {
  const middle = Math.ceil(text.length / 2);
  const type = 'response.function_call_arguments.delta';
  return [
    { type, ...at, delta: text.slice(0, middle) },
    { type, ...at, delta: text.slice(middle) },
    { type: 'response.function_call_arguments.done', ...at, arguments: text },
  ];
}

const words = (text: string): string[] => text.split(/(?<=\s)(?=\S)/);

function textsOf(parts: unknown): string[] {
  return (Array.isArray(parts) ? parts : []).map((part: { text: string }) => part.text);
}
