// A whole turn over REST against a bare pass-through that makes the same model calls, in one run.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { benchSource } from './catalog_of.js';
import { startChild, type Child } from './child.js';
import { firstToken, measure, type Load } from './load.js';
import { times, type Line } from './report.js';
import { benchSockets } from './sockets.js';

const PASSWORD = 'bench-password-long';
const TURN = 'CALL bench_3 {"query":"x"}';

/** Lines about turns over REST, and about sockets to the same server. */
export async function benchTurns(turns: number): Promise<{ turns: Line[]; sockets: Line[] }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'netaclaw-bench-'));
  const model = await startChild('./model_server.ts');
  const bare = await startChild('./pass_through.ts', [model.url, wireTools()]);
  const server = await startChild('./server.ts', ['10000'], {
    DATA_DIR: dataDir,
    DATABASE_URL: '',
    PORT: '0',
    LOG_LEVEL: 'warn',
    ADMIN_PASSWORD: PASSWORD,
    EGRESS_ALLOW: '127.0.0.1',
    CHAT_RATE_LIMIT: '100000000',
    NODE_ENV: 'production',
  });
  try {
    const token = await setUp(server, model);
    const sockets = await benchSockets(server, token);
    return { turns: await compare(bare, server, { token, turns }), sockets };
  } finally {
    for (const child of [server, bare, model]) child.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
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

const bareLoad = (message: string, stream: boolean): Load => ({
  path: '/',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ message, stream }),
});

const ourLoad = (token: string, message: string, stream: boolean): Load => ({
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
  const ask = async (
    path: string,
    body: unknown,
    token = '',
  ): Promise<{ id: number; token: string }> => {
    const response = await fetch(server.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${text}`);
    return JSON.parse(text).data;
  };
  const { token } = await ask('/admin/base/open/login', { username: 'admin', password: PASSWORD });
  const channel = await ask(
    '/admin/netaclaw/channel/add',
    { name: 'bench', protocol: 'openai_chat', baseUrl: `${model.url}/v1`, model: 'bench' },
    token,
  );
  await ask(
    '/admin/netaclaw/agent/add',
    { name: 'bench', channelId: channel.id, toolsets: ['document'] },
    token,
  );
  return token;
}
