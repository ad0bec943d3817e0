// A whole turn over REST against a bare pass-through that makes the same model calls, in one run.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { benchSource } from './catalog_of.js';
import { signInAtBench, startBenchServer } from './bench_server.js';
import { startChild, type Child } from './child.js';
import { firstToken, measure, type Load } from './load.js';
import { times, type Line } from './report.js';

const TURN = 'CALL bench_3 {"query":"x"}';

/** The servers that are compared, and how ours is reached. */
export interface Bench {
  bare: Child;
  server: Child;
  token: string;
}

/** Starts a model, the bare pass-through and our server for `work`, and ends them. */
export async function withServers<T>(work: (bench: Bench) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), 'netaclaw-bench-'));
  const model = await startChild('./model_server.ts');
  const bare = await startChild('./pass_through.ts', [model.url, wireTools()]);
  const server = await startBenchServer(dataDir, 10_000);
  try {
    return await work({ bare, server, token: await setUp(server, model) });
  } finally {
    for (const child of [server, bare, model]) child.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** `turns` turns, one after another, 16 and 64 at once. */
export async function benchTurns({ bare, server, token }: Bench, turns: number): Promise<Line[]> {
  return compare(bare, server, { token, turns });
}

interface Setting {
  token: string;
  turns: number;
}

async function compare(bare: Child, server: Child, { token, turns }: Setting): Promise<Line[]> {
  const plain = { bare: bareLoad(TURN, false), ours: ourLoad(token, TURN, false) };
  const lines: Line[] = [];
  for (const child of [bare, server]) {
    const load = child === bare ? plain.bare : plain.ours;
    await measure(child, load, { turns, concurrency: 16 });
  }
  for (const concurrency of [1, 16, 64]) {
    const size = { turns: concurrency === 1 ? turns / 4 : turns, concurrency };
    const base = await measure(bare, plain.bare, size);
    const ours = await measure(server, plain.ours, size);
    lines.push(...linesOf(concurrency, base, ours));
  }
  const streamed = 'hello TOKENS 20';
  const first = await firstToken(bare, bareLoad(streamed, true), turns / 8);
  const ourFirst = await firstToken(server, ourLoad(token, streamed, true), turns / 8);
  lines.push({
    what: 'first token alone',
    figure: `${times(ourFirst, first)} (${ourFirst.toFixed(2)} ms)`,
    must: '2.5 x',
  });
  lines.push({
    what: 'memory after',
    figure: `${(await server.rssMb()).toFixed(0)} MiB`,
    must: '-',
  });
  return lines;
}

type Figures = Awaited<ReturnType<typeof measure>>;

function linesOf(concurrency: number, base: Figures, ours: Figures): Line[] {
  const at = concurrency === 1 ? 'alone' : `${concurrency} at once`;
  const lines = [
    {
      what: `processor time of a turn, ${at}`,
      figure: `${times(ours.cpuMs, base.cpuMs)} (${ours.cpuMs.toFixed(2)} ms)`,
      must: '4 x',
    },
  ];
  if (concurrency === 1) {
    lines.push({ what: 'p50 alone', figure: times(ours.p50, base.p50), must: '4 x' });
  } else {
    lines.push({
      what: `p99 / p50, ${at}`,
      figure: `${times(ours.p99, ours.p50)} (bare ${times(base.p99, base.p50)})`,
      must: '3 x',
    });
  }
  return lines;
}

export const bareLoad = (message: string, stream: boolean): Load => ({
  path: '/',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ message, stream }),
});

export const ourLoad = (token: string, message: string, stream: boolean): Load => ({
  path: '/api/netaclaw/chat',
  headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
  body: JSON.stringify({ agent: 'bench', message, stream }),
});

/** The pass-through sends as many tools of the same size. */
const wireTools = (): string =>
  JSON.stringify(
    benchSource(20)
      .declare()
      .map(({ schema }) => ({
        type: 'function',
        function: {
          name: schema.name,
          description: schema.description,
          parameters: z.toJSONSchema(schema.parameters, { io: 'input' }),
        },
      })),
  );

/** Signs in and makes a channel to the model and an agent with the twenty tools. */
async function setUp(server: Child, model: Child): Promise<string> {
  const { ask, token, channelId } = await signInAtBench(server, model);
  await ask('/admin/netaclaw/agent/add', {
    name: 'bench',
    channelId,
    toolsets: ['document'],
    limits: { maxContextMessages: 5000 },
  });
  return token;
}
