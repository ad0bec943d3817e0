import { selectors, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiOf, chat, furnish, type Api } from './api.js';
import { gravest } from './axe.js';
import { signIn, startConsole, type Console } from './console.js';
import { allPages, type Places } from './pages.js';
import { openings } from './places.js';
import { unreachable } from './keyboard.js';
import { settled, visit, withoutMotion } from './settled.js';

selectors.setTestIdAttribute('data-test');

let console: Console;
let api: Api;
let places: Places;

beforeAll(async () => {
  console = await startConsole();
  api = await apiOf(console.url);
  places = await furnish(api);
});
afterAll(() => console?.close());

async function pageIn(colorScheme: 'light' | 'dark'): Promise<Page> {
  const page = await console.newPage({ colorScheme });
  await withoutMotion(page.context());
  await signIn(page);
  return page;
}

describe.each(['light', 'dark'] as const)('in %s, axe finds nothing grave', (theme) => {
  let page: Page;
  beforeAll(async () => {
    page = await pageIn(theme);
  });
  afterAll(() => page?.context().close());

  it('on any page', async () => {
    const found: Record<string, string[]> = {};
    for (const path of allPages(places)) {
      await visit(page, path);
      const findings = await gravest(page);
      if (findings.length > 0) found[path] = findings;
    }
    expect(found).toEqual({});
  });

  it('in anything that opens', async () => {
    const found: Record<string, string[]> = {};
    for (const { name, path, open } of openings(places, api)) {
      await visit(page, path);
      await open(page);
      await settled(page);
      const findings = await gravest(page);
      if (findings.length > 0) found[name] = findings;
    }
    expect(found).toEqual({});
  }, 180_000);

  it('in a conversation', async () => {
    const { sessionId } = await chat(api, 'demo', 'CALL list_dir {}\nCALL read_file {"path":"no"}');
    await visit(page, `/playground?agent=demo&session=${sessionId}`);
    await page.getByTestId('turn').first().waitFor();
    expect(await gravest(page)).toEqual([]);
  });

  it('in a narrow window', async () => {
    await page.setViewportSize({ width: 760, height: 900 });
    await visit(page, '/agent/tools');
    expect(await gravest(page)).toEqual([]);
    await page.setViewportSize({ width: 1360, height: 900 });
  });

  it('at the sign-in, refused', async () => {
    const stranger = await console.newPage({ colorScheme: theme });
    await withoutMotion(stranger.context());
    await visit(stranger, '/sign-in');
    await stranger.getByLabel('Name').fill('nobody');
    await stranger.getByLabel('Password').fill('not-the-password');
    await stranger.getByRole('button', { name: 'Sign in' }).click();
    await stranger.getByRole('alert').waitFor();
    expect(await gravest(stranger)).toEqual([]);
    await stranger.context().close();
  });
});

describe('by keyboard', () => {
  let page: Page;
  beforeAll(async () => {
    page = await pageIn('light');
  });
  afterAll(() => page?.context().close());

  it('every control of every page can be reached', async () => {
    const found: Record<string, string[]> = {};
    for (const path of allPages(places)) {
      await visit(page, path);
      const missed = await unreachable(page);
      if (missed.length > 0) found[path] = missed;
    }
    expect(found).toEqual({});
  }, 180_000);

  it('focus stays in an open drawer, and goes back to what opened it', async () => {
    await visit(page, '/agent/tools?keyWord=patch');
    await page.getByTestId('open-patch').focus();
    await page.keyboard.press('Enter');
    await page.getByTestId('history').waitFor();
    for (let step = 0; step < 40; step += 1) {
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement?.closest('.el-drawer'))).not.toBe(
        null,
      );
    }
    await page.keyboard.press('Escape');
    await page.getByTestId('tool-label').waitFor({ state: 'hidden' });
    await page.waitForFunction(() => document.activeElement?.matches('[data-test=open-patch]'));
  });

  it('the menu leads to another page', async () => {
    await visit(page, '/agent/tools');
    await page.getByRole('menuitem', { name: 'Runs' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/runs$/);
    await page.locator('[role=menuitem][aria-current=page]').getByText('Runs').waitFor();
  });

  it('the first stop leads past the menu', async () => {
    await visit(page, '/agent/tools');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('content');
  });
});
