// Resolver and sync, in this process.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance, monitorEventLoopDelay } from 'node:perf_hooks';
import {
  resolveTools,
  type ResolveFacts,
} from '../src/modules/netaclaw/runtime/tools/resolve_tools.js';
import { toolFitOf } from '../src/modules/netaclaw/runtime/provider/tool_fit.js';
import type { RegistrySnapshot } from '../src/modules/netaclaw/runtime/tools/governed_tool.js';
import { Catalog } from '../src/modules/netaclaw/tools/catalog.js';
import { buildSnapshot } from '../src/modules/netaclaw/tools/registry_snapshot.js';
import { benchSource } from './catalog_of.js';
import { quantile } from './load.js';
import type { Line } from './report.js';

const CATALOG = 10_000;

export function benchResolver(): Line[] {
  const catalog = new Catalog([benchSource(CATALOG)]);
  const rows = catalog.all().map((entry) => ({
    name: entry.name,
    label: entry.name,
    toolset: entry.toolset,
    source: entry.source,
    description: null,
    status: 1 as const,
    sort: 0,
    promptHint: null,
  }));
  const registry = buildSnapshot(catalog, rows, '1');
  return [
    {
      what: 'resolve 20 tools of 10,000, for 1,000 agents',
      figure: `${(1000 * timeOf(() => resolveTools(factsFor(registry, ['document'])))).toFixed(1)} us`,
      must: '50 us',
    },
    {
      what: 'resolve 10,000 tools of 10,000',
      figure: `${timeOf(() => resolveTools(factsFor(registry, ['document', 'vision'])), 100).toFixed(2)} ms`,
      must: '2 ms',
    },
  ];
}

function timeOf(work: () => unknown, rounds = 20_000): number {
  for (let round = 0; round < rounds / 10; round += 1) work();
  const took: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const from = performance.now();
    work();
    took.push(performance.now() - from);
  }
  return quantile(took, 0.5);
}

let agent = 0;
function factsFor(registry: RegistrySnapshot, toolsets: string[]): ResolveFacts {
  agent = (agent + 1) % 1000;
  return {
    toolsets,
    agentDisabled: [`bench_${agent}`],
    capability: { value: 'multimodal', origin: 'channel' },
    memory: false,
    skills: false,
    crewMaster: false,
    crewTools: [],
    computer: null,
    callerRole: 'client',
    callerDenied: [],
    unavailable: new Map(),
    fit: toolFitOf('openai_chat'),
    registry,
  };
}

/** New and unchanged, on a database of its own; with the longest stall of the event loop. */
export async function benchSync(): Promise<Line[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'netaclaw-bench-'));
  Object.assign(process.env, { DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent' });
  delete process.env.DATABASE_URL;
  const { startInProcess } = await import('./in_process.js');
  const { sources, registry, stop } = await startInProcess();
  sources.add(benchSource(CATALOG));
  const fresh = await timed(() => registry.syncCatalogToDb(null));
  const unchanged = await timed(() => registry.syncCatalogToDb(null));
  await stop();
  rmSync(dataDir, { recursive: true, force: true });
  return [
    { what: 'sync of 10,000 new tools', figure: words(fresh), must: '700 ms' },
    { what: 'sync of 10,000 unchanged tools', figure: words(unchanged), must: '150 ms' },
  ];
}

interface Timed {
  ms: number;
  stallMs: number;
}

async function timed(work: () => Promise<unknown>): Promise<Timed> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  await new Promise((resolve) => setTimeout(resolve, 50));
  delay.enable();
  const from = performance.now();
  await work();
  const ms = performance.now() - from;
  await new Promise((resolve) => setTimeout(resolve, 20));
  delay.disable();
  return { ms, stallMs: delay.max / 1e6 };
}

const words = ({ ms, stallMs }: Timed): string =>
  `${ms.toFixed(0)} ms, longest stall ${stallMs.toFixed(0)} ms`;
