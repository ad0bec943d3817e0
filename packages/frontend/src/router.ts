import { watch } from 'vue';
import { createRouter, createWebHistory, type RouteRecordRaw } from 'vue-router';
import { connection, connectionLost } from './connection.js';
import { modules } from './module.js';
import { useSession } from './session.js';

const pages: RouteRecordRaw[] = modules.flatMap(({ routes }) => [...routes]);

/** All pages stand in the layout but those that say `meta.bare`. */
export const router = createRouter({
  history: createWebHistory(),
  routes: [
    ...pages.filter((page) => page.meta?.bare),
    {
      path: '/',
      component: () => import('./layout/app-layout.vue'),
      children: [
        ...pages.filter((page) => !page.meta?.bare),
        { path: '', redirect: '/overview' },
        {
          path: ':unknown(.*)*',
          component: () => import('./layout/not-found.vue'),
          meta: { title: 'notFound.title' },
        },
        // Reached by its name alone: the address stays the one that was asked for.
        {
          path: ':refused(.*)*',
          name: 'not-allowed',
          component: () => import('./layout/not-allowed.vue'),
          meta: { title: 'notAllowed.title' },
        },
      ],
    },
  ],
});

router.beforeEach(async (to) => {
  if (to.meta.bare) return true;
  const session = useSession();
  const isKnown = await session.resume().catch(() => true);
  if (!isKnown) return { path: '/sign-in', query: { next: to.fullPath } };
  const { needs } = to.meta;
  // While the server cannot be reached nobody is known; then the page itself says what is wrong.
  if (!needs || !session.person || session.may(needs)) return true;
  return { name: 'not-allowed', params: { refused: to.path.slice(1).split('/') } };
});

// A page's files could not be had: when the server is there again, the page is opened afresh, since a
// browser may remember that a file failed.
router.onError((error, to) => {
  if (!/import|preload|module/i.test(String(error))) return;
  connectionLost();
  watch(connection.restored, () => location.assign(to.fullPath), { once: true });
});
