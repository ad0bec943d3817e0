import { readdir } from 'node:fs/promises';
import type { AnyToolDefinition, ToolSource } from './source.js';

const folder = new URL('./builtin/', import.meta.url);

/**
 * The built-in tools: one file of `builtin/` each, found at start. A file's default export is its
 * definition, so a new tool is a new file and nothing else.
 */
export async function loadBuiltinSource(): Promise<ToolSource> {
  const names = (await readdir(folder)).filter(isToolFile).toSorted();
  const modules: { default: AnyToolDefinition }[] = await Promise.all(
    names.map((name) => import(/* @vite-ignore */ new URL(name, folder).href)),
  );
  const definitions = modules.map((module) => module.default);
  return {
    name: 'builtin',
    declare: () => definitions,
    offer: () => null,
    unavailable: () => new Map(),
  };
}

const isToolFile = (name: string): boolean =>
  /\.(js|ts)$/.test(name) && !/\.(test|d)\.ts$/.test(name);
