import type { ConsoleModule } from '../../module.js';

export default {
  routes: [
    {
      path: '/overview',
      component: () => import('./views/overview.vue'),
      meta: { title: 'menu.overview' },
    },
  ],
  menu: [{ key: 'overview', path: '/overview' }],
} satisfies ConsoleModule;
