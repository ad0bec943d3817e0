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
      ],
    },
  ],
});

router.beforeEach(async (to) => {
  if (to.meta.bare) return true;
  if (
    await useSession()
      .resume()
      .catch(() => true)
  )
    return true;
  return { path: '/sign-in', query: { next: to.fullPath } };
});

// A page's files could not be had: when the server is there again, the page is opened afresh, since a
// browser may remember that a file failed.
router.onError((error, to) => {
  if (!/import|preload|module/i.test(String(error))) return;
  connectionLost();
  watch(connection.restored, () => location.assign(to.fullPath), { once: true });
});
