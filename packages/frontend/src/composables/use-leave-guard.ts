import { useEventListener } from '@vueuse/core';
import { onBeforeRouteLeave, onBeforeRouteUpdate, type RouteLocationNormalized } from 'vue-router';
import { confirm } from '../components/confirm.js';
import { translate } from '../i18n/index.js';
import { useSession } from '../session.js';

type Place = Pick<RouteLocationNormalized, 'path' | 'query'>;

/** Asks before what is typed and not saved is lost; true: go on. */
export const confirmLeave = (): Promise<boolean> =>
  confirm(translate('common.unsaved'), translate('common.leave'));

/** True when going there takes the record away that is edited here; `key` is its name in the address. */
export const leavesRecord = (to: Place, from: Place, key?: string): boolean =>
  to.path !== from.path || (key !== undefined && to.query[key] !== from.query[key]);

/**
 * Asks before unsaved changes are lost by going to another page, back, or to another record of the same
 * page, and by closing the window.
 */
export function useLeaveGuard(isDirty: () => boolean, key?: () => string | undefined): void {
  const session = useSession();
  // Whoever gave the sign-in up has been asked.
  const mayGo = () => !isDirty() || !session.person || confirmLeave();
  onBeforeRouteLeave(mayGo);
  onBeforeRouteUpdate((to, from) => !leavesRecord(to, from, key?.()) || mayGo());
  useEventListener(window, 'beforeunload', (event) => {
    if (isDirty()) event.preventDefault();
  });
}
