// A crew of a hundred members, 102 model calls, against a bare pass-through that makes the same calls.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signInAtBench, startBenchServer } from './bench_server.js';
import { startChild, type Child } from './child.js';
import { CREW_MEMBERS, CREW_PARALLEL } from './crew_size.js';
import { measure, type Load } from './load.js';
import { times, type Line } from './report.js';

const TURN = `DELEGATE ${CREW_MEMBERS}`;

/** `turns`: how often each is measured, one after another. */
export async function benchCrew(turns: number): Promise<Line[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'netaclaw-bench-'));
  const model = await startChild('./model_server.ts');
  const bare = await startChild('./pass_through.ts', [model.url, wireTools()]);
  const server = await startBenchServer(dataDir, 20);
  try {
    const ours = await setUp(server, model);
    const base: Load = {
      path: '/',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ message: TURN }),
    };
    await measure(bare, base, { turns: 5, concurrency: 1 });
    await measure(server, ours, { turns: 5, concurrency: 1 });
    const bareFigures = await measure(bare, base, { turns, concurrency: 1 });
    const figures = await measure(server, ours, { turns, concurrency: 1 });
    return [
      {
        what: `time of ${CREW_MEMBERS + 2} model calls`,
        figure: `${times(figures.p50, bareFigures.p50)} (${figures.p50.toFixed(0)} ms)`,
        must: '5 x',
      },
      {
        what: 'processor time',
        figure: `${times(figures.cpuMs, bareFigures.cpuMs)} (${figures.cpuMs.toFixed(0)} ms)`,
        must: '-',
      },
    ];
  } finally {
    for (const child of [server, bare, model]) child.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** The crew, and a load that asks it. */
async function setUp(server: Child, model: Child): Promise<Load> {
  const { ask, token, channelId } = await signInAtBench(server, model);
  const agent = (name: string) =>
    ask('/admin/netaclaw/agent/add', { name, channelId, toolsets: [] });
  const members: { agentId: number }[] = [];
  for (let index = 0; index < CREW_MEMBERS; index += 1) {
    members.push({ agentId: (await agent(`member-${index}`)).id });
  }
  const { id: masterAgentId } = await agent('chief');
  const crew = { name: 'bench', masterAgentId, members, maxParallel: CREW_PARALLEL };
  await ask('/admin/netaclaw/crew/add', crew);
  return {
    path: '/api/netaclaw/chat',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ crew: 'bench', message: TURN }),
  };
}

/** The pass-through sends one tool, so that the model calls. */
const wireTools = (): string =>
  JSON.stringify([{ type: 'function', function: { name: 'delegate', parameters: {} } }]);
