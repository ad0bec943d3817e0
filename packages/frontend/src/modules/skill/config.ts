import type { ConsoleModule } from '../../module.js';

export default {
  routes: [
    {
      path: '/skills',
      component: () => import('./views/skills.vue'),
      meta: { title: 'menu.skills' },
    },
    {
      path: '/skills/:id(\\d+|new)',
      component: () => import('./views/skill.vue'),
      meta: { title: 'skills.skill' },
    },
  ],
  menu: [{ key: 'skills', path: '/skills' }],
} satisfies ConsoleModule;
