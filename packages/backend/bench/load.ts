import { Pool } from 'undici';
import type { Child } from './child.js';

export interface Load {
  path: string;
  headers: Record<string, string>;
  body: string;
}

export interface Measured {
  cpuMs: number;
  p50: number;
  p99: number;
}

/** Sends `turns` requests, `concurrency` at once; processor time per turn is the child's own. */
export async function measure(
  child: Child,
  load: Load,
  { turns, concurrency }: { turns: number; concurrency: number },
): Promise<Measured> {
  const pool = new Pool(child.url, { connections: concurrency, pipelining: 1 });
  const took: number[] = [];
  const before = await child.cpuMs();
  let left = turns;
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (left > 0) {
        left -= 1;
        const from = performance.now();
        const { statusCode, body } = await pool.request({ method: 'POST', ...load });
        const text = await body.text();
        if (statusCode !== 200) throw new Error(`${load.path}: ${statusCode} ${text}`);
        took.push(performance.now() - from);
      }
    }),
  );
  const cpuMs = ((await child.cpuMs()) - before) / turns;
  await pool.close();
  return { cpuMs, p50: quantile(took, 0.5), p99: quantile(took, 0.99) };
}

/** Milliseconds until the first text of a stream, one request after another. */
export async function firstToken(child: Child, load: Load, turns: number): Promise<number> {
  const pool = new Pool(child.url, { connections: 1 });
  const took: number[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    const from = performance.now();
    const { body } = await pool.request({ method: 'POST', ...load });
    let seen = false;
    for await (const part of body) {
      if (!seen && String(part).includes('token ')) {
        seen = true;
        took.push(performance.now() - from);
      }
    }
  }
  await pool.close();
  return quantile(took, 0.5);
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
