import {
  json,
  raw,
  rawStream,
  type Reply,
  type ScriptedCall,
  type StreamOptions,
} from './scripted_provider.js';

/**
 * Replies in the form of `/v1/messages`, for a scripted provider:
 *
 *     provider.script(calls({ name: 'list_dir', arguments: '{}' }), text('All done.'));
 *
 * `text`, `calls` and `thoughts` answer as the request asks: as a stream or whole. The others say exactly
 * what goes over the wire, faults included; `events` takes the events one by one.
 */

type WholeBlock = { type: 'text' | 'tool_use' | 'thinking' | 'redacted_thinking' } & Record<
  string,
  unknown
>;

let callCount = 0;

/** A final answer in words. Streamed, each word is an event, `delayMs` apart. */
export const text = (content: string, options: { delayMs?: number } = {}): Reply =>
  answer([{ type: 'text', text: content }], { stopReason: 'end_turn', ...options });

/** An answer that calls tools, all at once. */
export function calls(...given: ScriptedCall[]): Reply {
  return answer(given.map(callBlock), { stopReason: 'tool_use' });
}

/** An answer that thinks first, signed, and then calls tools. */
export function thoughts(thinking: string, ...given: ScriptedCall[]): Reply {
  const signature = Buffer.from(thinking).toString('base64');
  const blocks: WholeBlock[] = [{ type: 'thinking', thinking, signature }];
  return answer([...blocks, ...given.map(callBlock)], { stopReason: 'tool_use' });
}

/** Server-sent events with their names. `ending` as in `stream` of the scripted provider. */
export function events(values: readonly object[], options: StreamOptions = {}): Reply {
  const lines = values.map((value) => {
    const name = 'type' in value ? String(value.type) : 'message';
    return `event: ${name}\ndata: ${JSON.stringify(value)}\n\n`;
  });
  return rawStream(lines, options);
}

/** An error as Anthropic words it. */
export function failure(status: number, message: string, headers = {}): Reply {
  return json(errorEvent(message), { status, headers });
}

/** A whole answer that is cut off in the middle. */
export function truncatedMessage(): Reply {
  const whole = JSON.stringify(
    message([{ type: 'text', text: 'this will not arrive' }], 'end_turn'),
  );
  return raw(whole.slice(0, whole.length / 2), { contentType: 'application/json' });
}

/** An error as a document or in the middle of a stream. */
export const errorEvent = (message: string, type = 'overloaded_error') => ({
  type: 'error',
  error: { type, message },
  request_id: 'req_scripted',
});

/** The first event of a stream. */
export const startEvent = {
  type: 'message_start',
  message: { ...message([], null), usage: { input_tokens: 10, output_tokens: 1 } },
};
const pingEvent = { type: 'ping' };

/** The events of a text block with these pieces. */
export const textEvents = (pieces: readonly string[], index = 0): object[] => [
  { type: 'content_block_start', index, content_block: { type: 'text', text: '' } },
  ...pieces.map((piece) => deltaEvent(index, { type: 'text_delta', text: piece })),
  { type: 'content_block_stop', index },
];

/** The last two events of a stream. */
export const endEvents = (stopReason: string): object[] => [
  {
    type: 'message_delta',
    delta: { stop_reason: stopReason, stop_sequence: null },
    usage: { output_tokens: 5 },
  },
  { type: 'message_stop' },
];

/** A whole message with these blocks. */
export function message(content: readonly WholeBlock[], stopReason: string | null) {
  return {
    id: 'msg_scripted',
    type: 'message',
    role: 'assistant',
    model: 'scripted',
    content,
    stop_reason: stopReason,
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 5 },
  };
}

const deltaEvent = (index: number, delta: object) => ({
  type: 'content_block_delta',
  index,
  delta,
});

function answer(
  blocks: readonly WholeBlock[],
  { stopReason, delayMs = 0 }: { stopReason: string; delayMs?: number },
): Reply {
  return (response, request) => {
    if (!request.body.stream) {
      const content = blocks.map((block) =>
        block.type === 'tool_use' ? { ...block, input: inputOf(block['input']) } : block,
      );
      return json(message(content, stopReason))(response, request);
    }
    const middle = blocks.flatMap((block, index) => blockEvents(block, index));
    const all = [startEvent, pingEvent, ...middle, ...endEvents(stopReason)];
    return events(all, { delayMs })(response, request);
  };
}

function callBlock({ name, id, arguments: args = '{}' }: ScriptedCall): WholeBlock {
  return { type: 'tool_use', id: id ?? `toolu_scripted_${++callCount}`, name, input: args };
}

/** A call's arguments are text in the script; a whole message has them as an object where it can. */
function inputOf(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return text;
  }
}

function blockEvents(block: WholeBlock, index: number): object[] {
  const begin = (content_block: object) => ({ type: 'content_block_start', index, content_block });
  const stop = { type: 'content_block_stop', index };
  switch (block.type) {
    case 'text':
      return textEvents(String(block['text']).split(/(?<=\s)(?=\S)/), index);
    case 'thinking':
      return [
        begin({ type: 'thinking', thinking: '', signature: '' }),
        deltaEvent(index, { type: 'thinking_delta', thinking: block['thinking'] }),
        deltaEvent(index, { type: 'signature_delta', signature: block['signature'] }),
        stop,
      ];
    case 'tool_use': {
      const args = String(block['input']);
      const half = Math.ceil(args.length / 2);
      return [
        begin({ ...block, input: {} }),
        ...['', args.slice(0, half), args.slice(half)].map((partial_json) =>
          deltaEvent(index, { type: 'input_json_delta', partial_json }),
        ),
        stop,
      ];
    }
    default:
      return [begin(block), stop];
  }
}
