import { allRoutes, type Role, type Route } from '@netaclaw/contracts';
import type { Page, Request } from 'playwright-core';
import { shown } from './settled.js';

/** What a walk finds amiss. */
export interface Walk {
  /** Requests that the table of routes refuses this role. */
  refused: string[];
  /** Controls that did nothing. */
  dead: string[];
  /** Everything that was pressed. */
  pressed: number;
}

const table: readonly Route[] = allRoutes.map(({ route }) => route);
/** Presses every kind of control that a page shows to a role; what it would change is held back. */
export async function walk(page: Page, role: Role, paths: readonly string[]): Promise<Walk> {
  const found: Walk = { refused: [], dead: [], pressed: 0 };
  let asked = 0;
  await page.route(/\/(admin|api)\//, async (route) => {
    asked += 1;
    const request = route.request();
    const wanted = routeOf(request);
    if (wanted && !mayCall(role, wanted)) found.refused.push(`${page.url()} asks ${wanted.path}`);
    if (!wanted || wanted.reads || wanted.path.startsWith('/admin/base/')) return route.continue();
    const body = { code: 1109, message: 'held back' };
    return route.fulfill({
      status: 409,
      contentType: 'application/json',
      body: JSON.stringify(body),
    });
  });
  for (const path of paths) {
    await page.goto(path);
    await shown(page);
    for (const kind of await markKinds(page)) {
      await page.goto(path);
      await shown(page);
      const before = asked;
      await markKinds(page);
      await watchChanges(page);
      await page.locator(`[data-kind="${kind}"]`).click();
      found.pressed += 1;
      const sure = page.locator('.el-message-box .el-button--primary');
      if (await sure.isVisible()) await sure.click();
      const hasChanged = await changed(page);
      if (!hasChanged && asked === before && page.url().endsWith(path)) {
        found.dead.push(`${path}: ${kind}`);
      }
    }
  }
  await page.unrouteAll({ behavior: 'wait' });
  return found;
}

function routeOf(request: Request): Route | undefined {
  const { pathname } = new URL(request.url());
  return table.find(
    ({ method, path }) =>
      method === request.method().toLowerCase() &&
      new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`).test(pathname),
  );
}

const mayCall = (role: Role, { access }: Route): boolean =>
  access === 'open' || access.roles.includes(role);

/** Marks one of each kind of enabled control with a name: of rows that are alike the first stands for all. */
async function markKinds(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const drawer = document.querySelector('.el-drawer__body');
    const kinds = new Set<string>();
    for (const element of (drawer ?? document).querySelectorAll(
      drawer ? 'button, .el-switch' : 'main button, main .el-switch',
    )) {
      if (!element.checkVisibility({ visibilityProperty: true })) continue;
      if (element.matches(':disabled, .is-disabled')) continue;
      const test = element.closest('[data-test]')?.getAttribute('data-test') ?? '';
      const row = /^(open|agent|audit|run|status|move|delete|test)-/.exec(test)?.[1];
      const kind = row ?? `${element.textContent?.trim()} ${element.className}`.replaceAll('"', '');
      if (kinds.has(kind)) continue;
      kinds.add(kind);
      element.setAttribute('data-kind', kind);
    }
    return [...kinds];
  });
}

/** Counts what a press changes on the page; colours and focus are not counted. */
async function watchChanges(page: Page): Promise<void> {
  await page.evaluate(() => {
    document.body.dataset.changes = '0';
    new MutationObserver((records) => {
      const told = records.filter(({ attributeName }) => attributeName !== 'data-changes');
      document.body.dataset.changes = String(Number(document.body.dataset.changes) + told.length);
    }).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
      attributeFilter: ['aria-checked', 'aria-expanded', 'aria-selected', 'open', 'value'],
    });
  });
}

/** Gives a press a moment to show; true as soon as it does. */
async function changed(page: Page): Promise<boolean> {
  return page
    .waitForFunction(() => document.body.dataset.changes !== '0', null, { timeout: 1500 })
    .then(() => true)
    .catch(() => false);
}
