import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { Json, TestClient } from './client.js';

/** One server-sent event as a client's parser hands it on. */
export interface StreamedEvent {
  id: string | undefined;
  event: string | undefined;
  data: Json;
}

/** A stream under way. `events` grows; `ended` resolves when the server has closed it. */
export interface EventStream {
  status: number;
  contentType: string;
  events: readonly StreamedEvent[];
  ended: Promise<void>;
  /** Resolves when an event of this type has come; rejects after five seconds. */
  until(type: string): Promise<StreamedEvent>;
  /** Hangs up. */
  close(): void;
}

/** Opens a stream of events: a POST when there is a body, else a GET. */
export async function openEvents(
  client: TestClient,
  path: string,
  { body, headers = {} }: { body?: Json; headers?: Record<string, string> } = {},
): Promise<EventStream> {
  const controller = new AbortController();
  const response = await fetch(client.url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${client.token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: controller.signal,
  });
  const events: StreamedEvent[] = [];
  const ended = collect(response, events);
  // A test may hang up and never look at the end.
  ended.catch(() => {});
  return {
    status: response.status,
    contentType: response.headers.get('content-type') ?? '',
    events,
    ended,
    until: (type) => untilType(events, type),
    close: () => controller.abort(),
  };
}

/** A turn answered as a stream of events. */
export const openChat = (client: TestClient, body: Json): Promise<EventStream> =>
  openEvents(client, '/api/netaclaw/chat', { body: { message: 'Hello', stream: true, ...body } });

/** All events of a turn. */
export async function streamChat(client: TestClient, body: Json): Promise<StreamedEvent[]> {
  const stream = await openChat(client, body);
  await stream.ended;
  return [...stream.events];
}

export const typesOf = (events: readonly StreamedEvent[]): (string | undefined)[] =>
  events.map(({ event }) => event);

async function collect(response: Response, events: StreamedEvent[]): Promise<void> {
  if (!response.body) return;
  const parsed = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream({ onError: 'terminate' }));
  for await (const { id, event, data } of parsed) {
    events.push({ id, event, data: JSON.parse(data) });
  }
}

async function untilType(events: readonly StreamedEvent[], type: string): Promise<StreamedEvent> {
  const deadline = Date.now() + 5_000;
  for (;;) {
    const found = events.find(({ event }) => event === type);
    if (found) return found;
    if (Date.now() > deadline)
      throw new Error(`no ${type} came, only ${typesOf(events).join(', ')}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
