import type { ConsoleModule } from '../../module.js';

export default {
  routes: [
    {
      path: '/agent/agents',
      component: () => import('./views/agents.vue'),
      meta: { title: 'menu.agents' },
    },
    {
      path: '/agent/agents/:id(\\d+|new)',
      component: () => import('./views/agent-edit.vue'),
      meta: { title: 'agent.edit' },
    },
    {
      path: '/agent/tools',
      component: () => import('./views/tools.vue'),
      meta: { title: 'menu.tools' },
    },
  ],
  menu: [
    { key: 'agents', path: '/agent/agents' },
    { key: 'tools', path: '/agent/tools' },
  ],
} satisfies ConsoleModule;
