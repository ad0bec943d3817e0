import { WebSocket } from 'ws';
import type { Json, TestClient } from './client.js';

/** A connection as a client program has it: sends requests, gathers events. */
export interface SocketClient {
  socket: WebSocket;
  /** Every event frame so far, in the order of their coming. */
  events: readonly Json[];
  /** Every answer without an id. */
  strays: readonly Json[];
  /** The code and the reason of the end, once it has come. */
  closed: Promise<{ code: number; reason: string }>;
  /** Sends a request and answers the whole response frame. */
  ask(method: string, params?: unknown): Promise<Json>;
  /** The payload of a good answer; throws the server's sentence for another. */
  payload(method: string, params?: unknown): Promise<Json>;
  /** Sends bytes as they are. */
  raw(data: string | Buffer): void;
  /** Resolves when `condition` holds for what has come. */
  until(condition: (events: readonly Json[]) => boolean): Promise<void>;
  eventsOf(runId: string): Json[];
  /** Breaks the connection off without a word. */
  cut(): void;
}

/** Opens a connection and waits until it is open; nothing is said on it. */
export async function openSocket(
  { url }: { url: string },
  headers: Record<string, string> = {},
): Promise<SocketClient> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, { headers });
  const waiting = new Map<number, (frame: Json) => void>();
  const [events, strays]: [Json[], Json[]] = [[], []];
  let count = 0;
  socket.on('message', (data) => {
    const frame: Json = JSON.parse(String(data));
    if (frame.type === 'event') events.push(frame);
    else if (waiting.has(frame.id)) waiting.get(frame.id)?.(frame);
    else strays.push(frame);
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => resolve({ code, reason: String(reason) }));
  });
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.on('error', reject);
  });
  const ask = (method: string, params?: unknown): Promise<Json> =>
    new Promise((resolve) => {
      count += 1;
      waiting.set(count, resolve);
      socket.send(JSON.stringify({ type: 'req', id: count, method, params }));
    });
  return {
    socket,
    events,
    strays,
    closed,
    ask,
    async payload(method, params) {
      const { ok, payload, error } = await ask(method, params);
      if (!ok) throw new Error(`${method}: ${error.message}`);
      return payload;
    },
    raw: (data) => socket.send(data),
    until: (condition) => untilTrue(() => condition(events)),
    eventsOf: (runId) => events.filter((event) => event.runId === runId),
    cut: () => socket.terminate(),
  };
}

/** Opens a connection and says who it is. */
export async function connectSocket(client: TestClient): Promise<SocketClient> {
  const socket = await openSocket(client);
  await socket.payload('connect', { token: client.token, protocol: 1 });
  return socket;
}

/** True once the run has told its end. */
export const hasEnded =
  (runId: string) =>
  (events: readonly Json[]): boolean =>
    events.some((event) => event.runId === runId && event.event === 'run-end');

export async function untilTrue(condition: () => boolean, withinMs = 15_000): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error('the condition did not come true in time');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
