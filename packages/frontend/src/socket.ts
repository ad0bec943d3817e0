import {
  failures,
  runEventSchema,
  SOCKET_PATH,
  socketCloseCodes,
  socketFrameSchema,
  socketLimits,
  socketProtocols,
  type FailureKind,
  type RunEvent,
  type SocketError,
} from '@netaclaw/contracts';
import { connectionLost, connectionWorks } from './connection.js';
import { RequestFailure } from './failure.js';
import { translate } from './i18n/index.js';
import { renewSignIn } from './request.js';
import { readTokens } from './tokens.js';

/** A request whose answer is followed by the events of a run. */
export interface RunRequest {
  method: 'chat.send' | 'run.subscribe';
  params: Record<string, unknown>;
}

/**
 * Sends one request over a connection of its own and answers the events of its run as they come. Ends
 * when the connection does, whether or not the run has. Throws `RequestFailure` when there is no
 * connection, the request is larger than the server takes, or the server refuses; a sign-in that has
 * run out is renewed first.
 */
export async function* runEvents(
  request: RunRequest,
  signal: AbortSignal,
): AsyncGenerator<RunEvent> {
  const token = readTokens()?.token ?? null;
  try {
    yield* exchange(request, { token: token ?? 'none', signal });
  } catch (error) {
    if (!(error instanceof RequestFailure) || error.kind !== 'unauthorized') throw error;
    await renewSignIn(token);
    yield* exchange(request, { token: readTokens()?.token ?? 'none', signal });
  }
}

type Arrival = RunEvent | RequestFailure | 'closed';
type Exchange = { token: string; signal: AbortSignal };
type SocketFrame = ReturnType<typeof socketFrameSchema.parse>;

async function* exchange(request: RunRequest, facts: Exchange): AsyncGenerator<RunEvent> {
  facts.signal.throwIfAborted();
  if (!fitsInFrame(request.params)) throw tooLarge();
  const arrivals: Arrival[] = [];
  let wake = (): void => {};
  const arrive = (arrival: Arrival): void => {
    arrivals.push(arrival);
    wake();
  };
  const close = open(request, facts, arrive);
  try {
    for (;;) {
      for (const arrival of arrivals.splice(0)) {
        if (arrival === 'closed') return;
        if (arrival instanceof RequestFailure) throw arrival;
        yield arrival;
      }
      facts.signal.throwIfAborted();
      if (arrivals.length === 0) await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    close();
  }
}

/** Opens the connection and says what has to be said; the returned function ends it. */
function open(
  request: RunRequest,
  { token, signal }: Exchange,
  arrive: (arrival: Arrival) => void,
): () => void {
  const socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}${SOCKET_PATH}`);
  let isAnswered = false;
  const send = (id: string, method: string, params: unknown): void =>
    socket.send(frameOf(id, method, params));
  socket.addEventListener('open', () => {
    connectionWorks();
    send('connect', 'connect', { token, protocol: socketProtocols[0] });
  });
  socket.addEventListener('message', ({ data }) => {
    const frame = socketFrameSchema.parse(JSON.parse(String(data)));
    const arrival = arrivalOf(frame);
    isAnswered = true;
    // Before `connect` is answered the server takes only small frames.
    if (frame.type === 'res' && frame.id === 'connect' && frame.ok) {
      send('run', request.method, request.params);
    }
    if (arrival) arrive(arrival);
  });
  const lose = (code: number): void => {
    if (code === socketCloseCodes.tooLarge) return arrive(tooLarge());
    if (!isAnswered && code !== socketCloseCodes.goingAway) connectionLost();
    arrive(isAnswered ? 'closed' : unreachable());
  };
  // A browser that goes offline leaves its sockets open, and would wait for long.
  const leave = (): void => {
    socket.close();
    lose(0);
  };
  const abort = (): void => arrive('closed');
  socket.addEventListener('close', ({ code }) => lose(code));
  window.addEventListener('offline', leave);
  signal.addEventListener('abort', abort);
  return () => {
    window.removeEventListener('offline', leave);
    signal.removeEventListener('abort', abort);
    socket.close();
  };
}

const frameOf = (id: string, method: string, params: unknown): string =>
  JSON.stringify({ type: 'req', id, method, params });

/** An event or a refusal; null for an answer that all is well. */
function arrivalOf(frame: SocketFrame): RunEvent | RequestFailure | null {
  if (frame.type === 'res') return frame.ok ? null : failureOf(frame.error);
  const { runId, sessionId, payload } = frame;
  return runEventSchema.parse({ ...payload, runId, sessionId });
}

function failureOf({ message, code, details }: SocketError): RequestFailure {
  const found = Object.entries(failures).find(([, failure]) => failure.code === code);
  const kind = found && isKind(found[0]) ? found[0] : 'unexpected';
  return new RequestFailure(message, { kind, code, details });
}

const isKind = (name: string): name is FailureKind => name in failures;

/** For what stands around the content of a frame. */
const FRAME_BYTES = 1024;

/** Whether the server would take a frame with this content; it closes the connection on a larger one. */
export const fitsInFrame = (content: unknown): boolean =>
  new TextEncoder().encode(JSON.stringify(content)).length <= socketLimits.maxBytes - FRAME_BYTES;

const tooLarge = (): RequestFailure =>
  new RequestFailure(translate('playground.tooLarge'), {
    kind: 'tooLarge',
    code: failures.tooLarge.code,
  });

const unreachable = (): RequestFailure =>
  new RequestFailure('The server cannot be reached', { kind: 'network' });
