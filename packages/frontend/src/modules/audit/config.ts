import { auditRoutes } from '@netaclaw/contracts';
import type { ConsoleModule } from '../../module.js';

export default {
  routes: [
    {
      path: '/audit',
      component: () => import('./views/audit.vue'),
      meta: { title: 'menu.audit' },
    },
  ],
  menu: [{ key: 'audit', path: '/audit', needs: auditRoutes.page }],
} satisfies ConsoleModule;
