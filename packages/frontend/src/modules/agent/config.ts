import type { ConsoleModule } from '../../module.js';

export default {
  routes: [
    {
      path: '/agent/tools',
      component: () => import('./views/tools.vue'),
      meta: { title: 'menu.tools' },
    },
  ],
  menu: [{ key: 'tools', path: '/agent/tools' }],
} satisfies ConsoleModule;
