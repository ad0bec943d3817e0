import type { Route } from '@netaclaw/contracts';
import type { RouteRecordRaw } from 'vue-router';

/** The menu, in its order. A module brings the entries that exist. */
export const menuOrder = [
  'overview',
  'agents',
  'crews',
  'tools',
  'skills',
  'tasks',
  'schedules',
  'playground',
  'runs',
  'sandboxes',
  'channels',
  'audit',
  'settings',
] as const;
export type MenuKey = (typeof menuOrder)[number];

/** One entry of the menu; its text is the message `menu.<key>`. */
export interface MenuEntry {
  key: MenuKey;
  path: string;
  /** The route of the server that the page lives on: who may not call it does not see the entry. */
  needs?: Pick<Route, 'access'>;
}

declare module 'vue-router' {
  interface RouteMeta {
    /** The route of the server that a page lives on: who may not call it is told so instead. */
    needs?: Pick<Route, 'access'>;
  }
}

/** What a module adds to the console: the default export of its `config.ts`. */
export interface ConsoleModule {
  routes: readonly RouteRecordRaw[];
  menu: readonly MenuEntry[];
}

const configs = import.meta.glob<ConsoleModule>('./modules/*/config.ts', {
  eager: true,
  import: 'default',
});

/** Every module; a folder with a `config.ts` is one. */
export const modules: readonly ConsoleModule[] = Object.values(configs);
