import { chatRoutes } from '@netaclaw/contracts';
import type { ConsoleModule } from '../../module.js';

export default {
  routes: [
    {
      path: '/playground',
      component: () => import('./views/playground.vue'),
      meta: { title: 'menu.playground', needs: chatRoutes.chat },
    },
  ],
  menu: [{ key: 'playground', path: '/playground', needs: chatRoutes.chat }],
} satisfies ConsoleModule;
