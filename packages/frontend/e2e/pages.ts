import type { RouteRecordRaw } from 'vue-router';
import type { ConsoleModule } from '../src/module.js';

const configs = import.meta.glob<ConsoleModule>('../src/modules/*/config.ts', {
  eager: true,
  import: 'default',
});

/** What stands for the parameters of an address. */
export interface Places {
  agentId: number;
  runId: string;
  crewId: number;
  skillId: number;
}

/** Addresses with parameters; a page that is not named here ends the test. */
const filled: Record<string, (places: Places) => string[]> = {
  '/agent/agents/:id(\\d+|new)': ({ agentId }) => [`/agent/agents/${agentId}`, '/agent/agents/new'],
  '/agent/crews/:id(\\d+|new)': ({ crewId }) => [`/agent/crews/${crewId}`, '/agent/crews/new'],
  '/skills/:id(\\d+|new)': ({ skillId }) => [
    `/skills/${skillId}`,
    `/skills/${skillId}?tab=source`,
    `/skills/${skillId}?tab=files`,
    `/skills/${skillId}?tab=versions`,
    '/skills/new',
  ],
  '/runs/:id': ({ runId }) => [`/runs/${runId}`],
};

/** The address of every page that the modules bring, but the sign-in. */
export function allPages(places: Places): string[] {
  const routes = Object.values(configs).flatMap((config) => config.routes);
  return [...routes.flatMap((route) => addressesOf(route, places)), '/no-such-page'];
}

function addressesOf(route: RouteRecordRaw, places: Places): string[] {
  if (route.meta?.bare) return [];
  if (route.children) {
    return route.children.map((child) => `${route.path}/${child.path}`);
  }
  const fill = filled[route.path];
  if (!fill && route.path.includes(':')) throw new Error(`pages.ts: say what ${route.path} is`);
  return fill ? fill(places) : [route.path];
}
