import type { ConsoleModule } from '../../module.js';

export default {
  routes: [
    {
      path: '/sandboxes',
      component: () => import('./views/sandboxes.vue'),
      redirect: '/sandboxes/live',
      children: [
        {
          path: 'live',
          component: () => import('./views/live.vue'),
          meta: { title: 'menu.sandboxes' },
        },
        {
          path: 'drivers',
          component: () => import('./views/drivers.vue'),
          meta: { title: 'menu.sandboxes' },
        },
        {
          path: 'candidates',
          component: () => import('./views/candidates.vue'),
          meta: { title: 'menu.sandboxes' },
        },
        {
          path: 'releases',
          component: () => import('./views/releases.vue'),
          meta: { title: 'menu.sandboxes' },
        },
      ],
    },
  ],
  menu: [{ key: 'sandboxes', path: '/sandboxes' }],
} satisfies ConsoleModule;
