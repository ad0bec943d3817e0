import { channelRoutes, toolRoutes, type Role } from '@netaclaw/contracts';
import { selectors, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiOf, furnish, otherPassword } from './api.js';
import { signIn, startConsole, type Console } from './console.js';
import { allPages } from './pages.js';
import { walk } from './role-walk.js';
import { shown } from './settled.js';

selectors.setTestIdAttribute('data-test');

let console: Console;
let paths: string[];

beforeAll(async () => {
  console = await startConsole();
  const api = await apiOf(console.url);
  const places = await furnish(api);
  const tools = await api.call(toolRoutes.page, { keyWord: 'patch' });
  const channels = await api.call(channelRoutes.list, {});
  paths = [
    ...allPages(places),
    ...['model', 'tools', 'skills', 'sandbox', 'preview'].map(
      (tab) => `/agent/agents/${places.agentId}?tab=${tab}`,
    ),
    ...tools.list.map(({ id }) => `/agent/tools?tool=${id}`),
    ...channels.map(({ id }) => `/channels?channel=${id}`),
  ];
});
afterAll(() => console?.close());

async function pageOf(role: Role): Promise<Page> {
  const page = await console.newPage();
  await signIn(page, role === 'admin' ? 'admin' : `a-${role}`, ...passwordOf(role));
  return page;
}
const passwordOf = (role: Role): [string?] => (role === 'admin' ? [] : [otherPassword]);

describe.each(['viewer', 'operator', 'admin'] as const)('a person with the role %s', (role) => {
  it('sees no button that does nothing or would be refused', async () => {
    const page = await pageOf(role);
    const { refused, dead, pressed } = await walk(page, role, paths);
    expect(refused).toEqual([]);
    expect(dead).toEqual([]);
    // A viewer has few: sorting, searching, opening. None at all would be a walk that saw nothing.
    expect(pressed).toBeGreaterThan(10);
    await page.context().close();
  }, 300_000);
});

describe('a viewer', () => {
  let page: Page;
  beforeAll(async () => {
    page = await pageOf('viewer');
  });

  it('can type nowhere but in searches and their own password', async () => {
    const found: string[] = [];
    for (const path of paths.filter((path) => path !== '/settings/account')) {
      await page.goto(path);
      await shown(page);
      const fields = page.locator(
        ':is(main, .el-drawer) :is(input:not([type=radio]), textarea):not([readonly], [disabled], [role=search] *, .el-pagination *, .search *)',
      );
      if ((await fields.count()) > 0) found.push(`${path}: ${await fields.count()}`);
    }
    expect(found).toEqual([]);
  });

  it.each(['/settings/users', '/settings/api-keys', '/playground'])(
    'is told that %s is not theirs',
    async (path) => {
      await page.goto(path);
      await page.getByText('not for your role').waitFor();
    },
  );
});
