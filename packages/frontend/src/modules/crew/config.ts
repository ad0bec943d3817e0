import type { ConsoleModule } from '../../module.js';

export default {
  routes: [
    {
      path: '/agent/crews',
      component: () => import('./views/crews.vue'),
      meta: { title: 'menu.crews' },
    },
    {
      path: '/agent/crews/:id(\\d+|new)',
      component: () => import('./views/crew-edit.vue'),
      meta: { title: 'crew.one' },
    },
  ],
  menu: [{ key: 'crews', path: '/agent/crews' }],
} satisfies ConsoleModule;
