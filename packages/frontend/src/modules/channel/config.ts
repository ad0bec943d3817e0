import type { ConsoleModule } from '../../module.js';

export default {
  routes: [
    {
      path: '/channels',
      component: () => import('./views/channels.vue'),
      meta: { title: 'menu.channels' },
    },
  ],
  menu: [{ key: 'channels', path: '/channels' }],
} satisfies ConsoleModule;
