// Many streams at once, slow and at full speed, and turns on a long history.
import { Pool } from 'undici';
import type { Child } from './child.js';
import { measure, quantile, type Load } from './load.js';
import { times, type Line } from './report.js';
import { bareLoad, ourLoad, type Bench } from './turns.js';

const STREAMS = 64;
const TOKENS = 200;
const HISTORY = 1000;
/** A round of each first: what is measured is not the compiler at work. */
const WARM_UP_ROUNDS = 1;
const ROUNDS = 5;

export async function benchStreams({ bare, server, token }: Bench): Promise<Line[]> {
  const slow = await pacedRounds({ bare, server, token });
  const fast = `hello TOKENS ${TOKENS}`;
  const fastBare = await streamed(bare, bareLoad(fast, true));
  const fastOurs = await streamed(server, ourLoad(token, fast, true));
  const perToken = (cpuMs: number) => cpuMs / (STREAMS * TOKENS);
  return [
    {
      what: `processor time of a token, ${STREAMS} streams of tokens 10 ms apart`,
      figure: `${times(slow.ours, slow.bare)} (${(perToken(slow.ours) * 1000).toFixed(1)} us)`,
      must: '1.8 x',
    },
    {
      what: `first token, p95, ${STREAMS} streams at full speed`,
      figure: `${fastOurs.firstP95.toFixed(0)} ms (bare ${fastBare.firstP95.toFixed(0)} ms)`,
      must: '200 ms',
    },
    ...(await longHistory({ bare, server, token })),
  ];
}

/** Processor time of a round of slow streams, in milliseconds: the median of several. */
async function pacedRounds({
  bare,
  server,
  token,
}: Bench): Promise<{ bare: number; ours: number }> {
  const message = `hello TOKENS ${TOKENS} PACE 10`;
  const rounds: { bare: number; ours: number }[] = [];
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
    const ofBare = await streamed(bare, bareLoad(message, true));
    const ofOurs = await streamed(server, ourLoad(token, message, true));
    rounds.push({ bare: ofBare.cpuMs, ours: ofOurs.cpuMs });
  }
  const warm = rounds.slice(WARM_UP_ROUNDS);
  const median = (values: number[]): number => quantile(values, 0.5);
  return {
    bare: median(warm.map((round) => round.bare)),
    ours: median(warm.map((round) => round.ours)),
  };
}

/** All streams at once: processor time of the child, and when the first token came. */
async function streamed(child: Child, load: Load): Promise<{ cpuMs: number; firstP95: number }> {
  const pool = new Pool(child.url, { connections: STREAMS });
  const first: number[] = [];
  const before = await child.cpuMs();
  await Promise.all(
    Array.from({ length: STREAMS }, async () => {
      const from = performance.now();
      const { body } = await pool.request({ method: 'POST', ...load });
      let seen = false;
      for await (const part of body) {
        if (seen || !String(part).includes('token ')) continue;
        seen = true;
        first.push(performance.now() - from);
      }
    }),
  );
  const cpuMs = (await child.cpuMs()) - before;
  await pool.close();
  return { cpuMs, firstP95: quantile(first, 0.95) };
}

/** Turns on a session of a thousand messages; the pass-through is sent as many. */
async function longHistory({ bare, server, token }: Bench): Promise<Line[]> {
  const short = await onSession({ bare, server, token }, HISTORY / 4);
  const long = await onSession({ bare, server, token }, HISTORY);
  return [
    {
      what: `processor time of a turn on ${HISTORY} messages`,
      figure: `${times(long.ours, long.bare)} (${long.ours.toFixed(2)} ms)`,
      must: '2 x',
    },
    {
      what: `the same against ${HISTORY / 4} messages (four times as many)`,
      figure: times(long.ours, short.ours),
      must: '4 x',
    },
  ];
}

const TURN = 'CALL bench_3 {"query":"x"}';
const MESSAGES_A_TURN = 4;
const MEASURED = 40;

async function onSession(
  { bare, server, token }: Bench,
  messages: number,
): Promise<{ bare: number; ours: number }> {
  const sessionId = await sessionOf(messages, { server, token });
  const load = ourLoad(token, 'hello', false);
  const ours = await measure(
    server,
    { ...load, body: JSON.stringify({ ...JSON.parse(load.body), sessionId }) },
    { turns: MEASURED, concurrency: 1 },
  );
  const plain = bareLoad('hello', false);
  const history = historyOf(messages);
  const base = await measure(
    bare,
    { ...plain, body: JSON.stringify({ ...JSON.parse(plain.body), history }) },
    { turns: MEASURED, concurrency: 1 },
  );
  return { bare: base.cpuMs, ours: ours.cpuMs };
}

async function sessionOf(
  messages: number,
  { server, token }: Pick<Bench, 'server' | 'token'>,
): Promise<string> {
  const pool = new Pool(server.url, { connections: 1 });
  const load = ourLoad(token, TURN, false);
  let sessionId: string | undefined;
  for (let turn = 0; turn < messages / MESSAGES_A_TURN; turn += 1) {
    const body = JSON.stringify({ ...JSON.parse(load.body), sessionId });
    const answer = await pool.request({ method: 'POST', ...load, body });
    sessionId = JSON.parse(await answer.body.text()).data.sessionId;
  }
  await pool.close();
  return sessionId ?? '';
}

/** The same messages as a session of ours has, in the wire's form. */
const historyOf = (messages: number): unknown[] =>
  Array.from({ length: messages / MESSAGES_A_TURN }, (_, turn) => [
    { role: 'user', content: TURN },
    {
      role: 'assistant',
      content: '',
      tool_calls: [
        {
          id: `call_${turn}`,
          type: 'function',
          function: { name: 'bench_3', arguments: '{"query":"x"}' },
        },
      ],
    },
    { role: 'tool', tool_call_id: `call_${turn}`, content: 'done' },
    { role: 'assistant', content: 'token '.repeat(8) },
  ]).flat();
