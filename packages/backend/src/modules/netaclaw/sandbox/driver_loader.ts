import { readdir } from 'node:fs/promises';
import type { SandboxDriver } from './booter.js';

const ownFolder = new URL('./booters/', import.meta.url);

/**
 * The drivers of a folder: each file `<name>_driver.ts` exports its description as default, and a new driver is
 * a new file and nothing else. Only descriptions are loaded here.
 */
export async function loadDrivers(folder: URL = ownFolder): Promise<SandboxDriver[]> {
  const names = (await readdir(folder)).filter(isDriverFile).toSorted();
  const modules: { default: SandboxDriver }[] = await Promise.all(
    names.map((name) => import(/* @vite-ignore */ new URL(name, folder).href)),
  );
  return modules.map((module) => module.default);
}

const isDriverFile = (name: string): boolean =>
  /_driver\.(js|ts)$/.test(name) && !name.endsWith('.d.ts');
