import { selectors, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiOf, chat, furnish, type Api } from './api.js';
import { signIn, startConsole, type Console } from './console.js';
import { allPages, type Places } from './pages.js';
import { openings } from './places.js';
import { settled, visit } from './settled.js';

selectors.setTestIdAttribute('data-test');

let console: Console;
let api: Api;
let places: Places;
let page: Page;

beforeAll(async () => {
  console = await startConsole();
  api = await apiOf(console.url);
  places = await furnish(api);
  page = await console.newPage();
  await signIn(page);
});
afterAll(() => console?.close());

/** Every page and everything that opens on one. */
async function seeAll(look: (where: string) => Promise<void>) {
  const { sessionId } = await chat(api, 'demo', 'CALL read_file {"path":"no"}');
  for (const path of [...allPages(places), `/playground?session=${sessionId}`]) {
    await visit(page, path);
    await look(path);
  }
  for (const { name, path, open } of openings(places, api)) {
    if (name === 'agents, about to delete') continue;
    await visit(page, path);
    await open(page);
    await settled(page);
    await look(name);
  }
}

/** Texts that stand where a message should: their keys. */
const keys = () =>
  page.evaluate(
    () =>
      document.body.innerText.match(/\b(?<!:\/\/[a-z.]*)(?:[a-z][A-Za-z]+\.)+[a-z][A-Za-z_]+\b/g) ??
      [],
  );

describe.each([
  { language: 'English', lang: 'en', title: 'Tools' },
  { language: '中文', lang: 'zh-CN', title: '工具' },
])('in $language', ({ language, lang, title }) => {
  beforeAll(async () => {
    await visit(page, '/agent/tools');
    const shown = page.getByRole('button', { name: language, exact: true });
    if (await shown.isVisible()) await shown.click();
  });

  it('the choice shows at once and outlives a reload', async () => {
    await page.locator('h1').getByText(title, { exact: true }).waitFor();
    await page.reload();
    await page.locator('h1').getByText(title, { exact: true }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe(lang);
  });

  it('no page misses a message', async () => {
    const found: Record<string, string[]> = {};
    await seeAll(async (where) => {
      const seen = await keys();
      if (seen.length > 0) found[where] = seen;
    });
    expect(console.complaints).toEqual([]);
    expect(found).toEqual({});
  }, 180_000);
});
