import { toolRoutes } from '@netaclaw/contracts';
import type { Page } from 'playwright-core';
import type { Api } from './api.js';
import type { Places } from './pages.js';

/** What opens on a page beyond the page itself: drawers, dialogs, lists, tabs. */
export interface Opening {
  name: string;
  path: string;
  open: (page: Page) => Promise<unknown>;
}

const tabs = ['model', 'tools', 'skills', 'memory', 'sandbox', 'preview'];

/** Everything that opens, in no order: each is opened on a page loaded anew. */
export function openings({ agentId, crewId, skillId }: Places, api: Api): Opening[] {
  return [
    ...ofAgents(agentId),
    ...ofCrews(crewId),
    ...ofTools(api),
    ...ofSkills(skillId),
    ...ofTheRest,
  ];
}

const ofAgents = (agentId: number): Opening[] => [
  ...tabs.map((tab) => ({
    name: `agent, ${tab}`,
    path: `/agent/agents/${agentId}?tab=${tab}`,
    open: (page: Page) => page.getByRole('tabpanel').waitFor(),
  })),
  {
    name: 'agent, in a sandbox',
    path: `/agent/agents/${agentId}?tab=sandbox`,
    open: (page) => page.getByTestId('runtime-sandbox').click(),
  },
  {
    name: 'agent, with problems',
    path: `/agent/agents/${agentId}`,
    open: (page) => page.getByTestId('agent-field-name').fill('No Good Name'),
  },
  {
    name: 'agent, choosing a channel',
    path: `/agent/agents/${agentId}?tab=model`,
    open: (page) => page.getByTestId('agent-channel').click(),
  },
  {
    name: 'agents, about to delete',
    path: '/agent/agents',
    open: (page) => page.getByRole('button', { name: 'Delete' }).first().click(),
  },
];

const ofCrews = (crewId: number): Opening[] => [
  {
    name: 'crew, with a member too many',
    path: `/agent/crews/${crewId}`,
    open: async (page) => {
      await page.getByTestId('member-add').click();
      await page.getByTestId('member-2').waitFor();
    },
  },
  {
    name: 'crew, choosing its master',
    path: `/agent/crews/${crewId}`,
    open: (page) => page.getByTestId('crew-master').click(),
  },
  {
    name: 'crews, about to delete',
    path: '/agent/crews',
    open: (page) => page.getByTestId('delete-press').click(),
  },
];

async function openTool(page: Page, name: string) {
  await page.getByTestId(`open-${name}`).click();
  await page.getByTestId('history').waitFor();
}

const ofTools = (api: Api): Opening[] => [
  { name: 'tool', path: '/agent/tools', open: (page) => openTool(page, 'bash') },
  { name: 'core tool', path: '/agent/tools?keyWord=todo', open: (page) => openTool(page, 'todo') },
  {
    name: 'tool, overridden',
    path: '/agent/tools?keyWord=patch',
    open: async (page) => {
      await openTool(page, 'patch');
      await page.getByTestId('tool-hint-override').click();
    },
  },
  {
    name: 'tool, about to turn off',
    path: '/agent/tools?keyWord=bash',
    open: (page) => page.getByTestId('status-bash').click(),
  },
  {
    name: 'tool, in conflict',
    path: '/agent/tools?keyWord=list_dir',
    open: (page) => conflictOn(page, api),
  },
  {
    name: 'tools, choosing a filter',
    path: '/agent/tools',
    open: (page) => page.getByTestId('filter-toolset').click(),
  },
  {
    name: 'tools, nothing found',
    path: '/agent/tools?keyWord=nothing-has-this-name',
    open: (page) => page.locator('.el-empty').waitFor(),
  },
];

async function conflictOn(page: Page, api: Api) {
  await openTool(page, 'list_dir');
  const found = await api.call(toolRoutes.page, { keyWord: 'list_dir' });
  for (const { id, version } of found.list) {
    await api.call(toolRoutes.update, { id, version, label: `Folder ${version}` });
  }
  await page.getByTestId('tool-label').fill('List');
  await page.getByTestId('tool-save').click();
  await page.getByTestId('settle').waitFor();
}

const ofSkills = (skillId: number): Opening[] => [
  {
    name: 'skill import',
    path: '/skills',
    open: (page) => page.getByTestId('skill-import').click(),
  },
  {
    name: 'skill import, refused',
    path: '/skills',
    open: async (page) => {
      await page.getByTestId('skill-import').click();
      const text = '---\nname: No\ncolour: red\n---\n';
      await page.getByTestId('skill-file').setInputFiles({
        name: 'SKILL.md',
        mimeType: 'text/markdown',
        buffer: Buffer.from(text),
      });
      await page.getByTestId('skill-import-dialog').locator('.error-panel').waitFor();
    },
  },
  {
    name: 'skill, about to approve',
    path: `/skills/${skillId}`,
    open: async (page) => {
      await page.getByTestId('skill-approve').click();
      await page.getByTestId('skill-comment').waitFor();
    },
  },
  {
    name: 'skill, choosing a version',
    path: `/skills/${skillId}`,
    open: (page) => page.getByTestId('skill-version').click(),
  },
];

const ofTheRest: Opening[] = [
  {
    name: 'new channel',
    path: '/channels?channel=new',
    open: (page) => page.getByTestId('channel-name').waitFor(),
  },
  {
    name: 'channel',
    path: '/channels',
    open: async (page) => {
      await page.getByTestId('open-house model').click();
      await page.getByTestId('channel-save').waitFor();
    },
  },
  {
    name: 'channel test',
    path: '/channels',
    open: async (page) => {
      await page.getByTestId('test-Rehearsal').click();
      await page.getByTestId('test-text').waitFor();
    },
  },
  {
    name: 'audit entry',
    path: '/audit',
    open: async (page) => {
      await page.locator('[data-test^=audit-]').nth(1).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'a time',
    path: '/runs',
    open: (page) => page.locator('main .date-time input').first().click(),
  },
  {
    name: 'new user',
    path: '/settings/users',
    open: (page) => page.getByTestId('user-add').click(),
  },
  {
    name: 'user',
    path: '/settings/users',
    open: (page) => page.getByTestId('open-a-viewer').click(),
  },
  {
    name: 'new key',
    path: '/settings/api-keys',
    open: async (page) => {
      await page.getByTestId('key-add').click();
      await page.getByTestId('scope-some').click();
    },
  },
  {
    name: 'key, just made',
    path: '/settings/api-keys',
    open: async (page) => {
      await page.getByTestId('key-add').click();
      await page.getByTestId('key-name').fill(`for a test ${Date.now()}`);
      await page.getByTestId('key-save').click();
      await page.getByTestId('key-text').waitFor();
    },
  },
];
