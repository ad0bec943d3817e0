// Idle and streaming WebSocket connections to the real server, which knows no more of them than of any others.
import { WebSocket } from 'ws';
import type { Child } from './child.js';
import type { Line } from './report.js';

const IDLE = 5_000;
const STREAMS = 64;
/** How many connect at the same moment. */
const AT_ONCE = 100;
const TOKENS = 200;

/** Memory of an idle connection, and what many streams at once lose: nothing. */
export async function benchSockets(server: Child, token: string): Promise<Line[]> {
  const before = await server.rssMb();
  const idle: WebSocket[] = [];
  while (idle.length < IDLE) {
    idle.push(
      ...(await Promise.all(Array.from({ length: AT_ONCE }, () => connect(server, token)))),
    );
  }
  const each = (((await server.rssMb()) - before) * 1024) / IDLE;
  const from = performance.now();
  const streams = await Promise.all(Array.from({ length: STREAMS }, () => stream(server, token)));
  const took = performance.now() - from;
  for (const socket of idle) socket.terminate();
  const wrong = streams.filter(({ isWhole }) => !isWhole).length;
  const events = streams.reduce((sum, { count }) => sum + count, 0);
  return [
    {
      what: `memory of an idle socket, of ${IDLE}`,
      figure: `${each.toFixed(1)} KiB`,
      must: '30 KiB',
    },
    {
      what: `${STREAMS} streams beside them with a lost or doubled event`,
      figure: `${wrong} (${events} events in ${took.toFixed(0)} ms)`,
      must: '0',
    },
  ];
}

function connect({ url }: Child, token: string): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, { perMessageDeflate: false });
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('open', () => request(socket, 'connect', { token, protocol: 1 }));
    socket.once('message', (data) => {
      if (JSON.parse(String(data)).ok) resolve(socket);
      else reject(new Error(String(data)));
    });
  });
}

/** One turn over a connection of its own; whole when its events count from 1 without a gap to the end. */
async function stream(server: Child, token: string): Promise<{ count: number; isWhole: boolean }> {
  const socket = await connect(server, token);
  const seqs: number[] = [];
  await new Promise<void>((resolve, reject) => {
    socket.on('message', (data) => {
      const frame = JSON.parse(String(data));
      if (frame.type === 'res' && !frame.ok) reject(new Error(frame.error.message));
      if (frame.type !== 'event') return;
      seqs.push(frame.seq);
      if (frame.event === 'run-end') resolve();
    });
    request(socket, 'chat.send', { agent: 'bench', message: `hello TOKENS ${TOKENS}` });
  });
  socket.terminate();
  return { count: seqs.length, isWhole: seqs.every((seq, index) => seq === index + 1) };
}

const request = (socket: WebSocket, method: string, params: object): void =>
  socket.send(JSON.stringify({ type: 'req', id: method, method, params }));
