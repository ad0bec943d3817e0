import type { Route } from '@netaclaw/contracts';
import { menuOrder, modules, type MenuEntry } from '../module.js';

/** The entries a person sees, in the order of the menu. */
export function menuFor(may: (route: Pick<Route, 'access'>) => boolean): MenuEntry[] {
  const entries = modules.flatMap(({ menu }) => menu);
  return menuOrder.flatMap((key) =>
    entries.filter((entry) => entry.key === key && (!entry.needs || may(entry.needs))),
  );
}

/** The entry that a page belongs to: the one whose path the page's begins with. */
export function activePath(entries: readonly MenuEntry[], path: string): string {
  return entries.find((entry) => `${path}/`.startsWith(`${entry.path}/`))?.path ?? '';
}
