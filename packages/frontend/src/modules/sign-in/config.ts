import type { ConsoleModule } from '../../module.js';

export default {
  routes: [
    {
      path: '/sign-in',
      component: () => import('./views/sign-in.vue'),
      meta: { bare: true, title: 'signIn.title' },
    },
  ],
  menu: [],
} satisfies ConsoleModule;
