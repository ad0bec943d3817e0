import { readFile } from 'node:fs/promises';
import { selectors, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { apiOf, furnish } from './api.js';
import { adminPassword, signIn, startConsole, type Console } from './console.js';
import { allPages, type Places } from './pages.js';
import { settled } from './settled.js';

selectors.setTestIdAttribute('data-test');

let console: Console;
let page: Page;
let places: Places;

beforeAll(async () => {
  console = await startConsole();
  places = await furnish(await apiOf(console.url));
  page = await console.newPage();
  await signIn(page);
});
afterAll(() => console?.close());

it('no page scrolls sideways on a screen of 1280, nor does a table or the row of tabs on it', async () => {
  const narrow = await console.newPage({ viewport: { width: 1280, height: 900 } });
  await signIn(narrow);
  for (const path of allPages(places)) {
    await narrow.goto(path);
    await settled(narrow);
    const wide = await narrow
      .locator('html, main .el-table .el-scrollbar__wrap, .el-tabs__nav-scroll')
      .evaluateAll((parts) =>
        parts
          .filter((part) => part.scrollWidth > part.clientWidth + 1)
          .map((part) => part.className),
      );
    expect([path, wide]).toEqual([path, []]);
  }
  await narrow.close();
});

it('a channel is added, tested and edited', async () => {
  await page.goto('/channels');
  await page.getByTestId('channel-add').click();
  await page.getByTestId('channel-name').fill('second rehearsal');
  await page.getByTestId('channel-protocol').click();
  await page.getByRole('option', { name: 'Rehearsal' }).click();
  await page.getByTestId('channel-model').fill('rehearsal');
  await page.getByTestId('channel-save').click();
  await page.waitForURL(/channel=\d+/);
  await page.getByTestId('channel-model').fill('rehearsal-two');
  await page.getByTestId('channel-save').click();
  await page.getByRole('row', { name: 'rehearsal-two' }).waitFor();
  await page.goto('/channels');
  await page.getByTestId('test-second rehearsal').click();
  await page.getByTestId('test-text').waitFor();
});

it('a run is found and looked into', async () => {
  await page.goto('/runs?agent=demo');
  await page.getByTestId(`run-${places.runId}`).click();
  await page.getByTestId('run-header').getByText('completed').waitFor();
  await page.locator('main').getByText('CALL list_dir {}').first().waitFor();
});

it('the audit is filtered, and exported as it is filtered', async () => {
  await page.goto('/audit?action=tool.call');
  await page.locator('[data-test^=audit-]:not([data-test=audit-export])').first().waitFor();
  const download = page.waitForEvent('download');
  await page.getByTestId('audit-export').click();
  const rows = (await readFile(await (await download).path(), 'utf8')).trim().split('\n');
  expect(rows.length).toBeGreaterThan(1);
  expect(rows.slice(1).filter((row) => !row.includes('tool.call'))).toEqual([]);
});

it('a user is added and found', async () => {
  await page.goto('/settings/users');
  await page.getByTestId('user-add').click();
  await page.getByTestId('user-name').fill('newcomer');
  await page.getByTestId('user-password').fill('a-long-enough-password');
  await page.getByTestId('user-save').click();
  await page.getByTestId('open-newcomer').waitFor();
});

it('a key is made, shown once, and kept only as a hint', async () => {
  await page.goto('/settings/api-keys');
  await page.getByTestId('key-add').click();
  await page.getByTestId('key-name').fill('for a script');
  await page.getByTestId('key-save').click();
  const key = await page.getByTestId('key-text').innerText();
  expect(key).toMatch(/^nc_/);
  await page.getByTestId('key-done').click();
  await page.reload();
  await page.getByRole('row', { name: 'for a script' }).waitFor();
  expect(await page.locator('body').innerText()).not.toContain(key);
});

it('a password is changed, and the sign-in goes on', async () => {
  await page.goto('/settings/account');
  await page.getByTestId('password-current').fill(adminPassword);
  for (const field of ['password-new', 'password-again'])
    await page.getByTestId(field).fill('changed-long-password');
  await page.getByTestId('password-save').click();
  await page.getByText('changed', { exact: false }).first().waitFor();
  await page.goto('/agent/tools');
  await page.getByTestId('open-bash').waitFor();
  const old = apiOf(console.url);
  await expect(old).rejects.toThrow('login');
  expect(console.complaints).toEqual([]);
});
