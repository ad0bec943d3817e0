import { apiKeyRoutes, userRoutes } from '@netaclaw/contracts';
import type { ConsoleModule } from '../../module.js';

export default {
  routes: [
    {
      path: '/settings',
      component: () => import('./views/settings.vue'),
      redirect: '/settings/account',
      children: [
        {
          path: 'account',
          component: () => import('./views/account.vue'),
          meta: { title: 'menu.settings' },
        },
        {
          path: 'users',
          component: () => import('./views/users.vue'),
          meta: { title: 'menu.settings', needs: userRoutes.page },
        },
        {
          path: 'api-keys',
          component: () => import('./views/api-keys.vue'),
          meta: { title: 'menu.settings', needs: apiKeyRoutes.page },
        },
      ],
    },
  ],
  menu: [{ key: 'settings', path: '/settings' }],
} satisfies ConsoleModule;
