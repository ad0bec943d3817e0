import { runAdminRoutes } from '@netaclaw/contracts';
import type { ConsoleModule } from '../../module.js';

export default {
  routes: [
    {
      path: '/runs',
      component: () => import('./views/runs.vue'),
      meta: { title: 'menu.runs' },
    },
    {
      path: '/runs/:id',
      component: () => import('./views/run.vue'),
      meta: { title: 'runs.one' },
    },
  ],
  menu: [{ key: 'runs', path: '/runs', needs: runAdminRoutes.page }],
} satisfies ConsoleModule;
