import { selectors, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { apiOf, chat } from './api.js';
import { signIn, startConsole, type Console } from './console.js';

selectors.setTestIdAttribute('data-test');

/** Of compressed script, before the first page stands. */
const LIMIT = 350 * 1024;

let console: Console;

beforeAll(async () => {
  console = await startConsole();
  await chat(await apiOf(console.url), 'demo', 'CALL list_dir {}');
});
afterAll(() => console?.close());

/** Compressed bytes of every script that the page has loaded so far, by the beginning of its name. */
const scripts = (page: Page): Promise<{ name: string; bytes: number }[]> =>
  page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter((entry) => entry instanceof PerformanceResourceTiming)
      .filter(({ name }) => name.endsWith('.js'))
      .map(({ name, encodedBodySize: bytes }) => ({
        name: name.replace(/^.*\/assets\//, ''),
        bytes,
      })),
  );
const sum = (found: readonly { bytes: number }[]): number =>
  found.reduce((total, { bytes }) => total + bytes, 0);

it('the sign-in page is small', async () => {
  const page = await console.newPage();
  await page.goto('/', { waitUntil: 'networkidle' });
  const found = await scripts(page);
  expect(found.length).toBeGreaterThan(5);
  expect(sum(found)).toBeLessThan(LIMIT);
});

it('so is Overview; its charts come when it stands', async () => {
  const page = await console.newPage();
  await signIn(page);
  await page.goto('/overview', { waitUntil: 'networkidle' });
  await page.getByTestId('count-tools').waitFor();
  await page.locator('canvas').first().waitFor();
  const found = await scripts(page);
  const charts = found.filter(({ name }) => /^(chart|runs-chart|tools-chart)/.test(name));
  expect(charts.length).toBeGreaterThan(0);
  expect(sum(found) - sum(charts)).toBeLessThan(LIMIT);
});
