import { selectors, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signIn, startConsole, type Console } from './console.js';

selectors.setTestIdAttribute('data-test');

let console: Console;
let page: Page;

beforeAll(async () => {
  console = await startConsole();
  page = await console.newPage();
  await signIn(page);
});
afterAll(() => console?.close());

async function say(text: string) {
  await page.getByTestId('chat-input').fill(text);
  await page.getByTestId('chat-send').click();
  await page
    .getByTestId('turn')
    .last()
    .locator('[data-status=completed]')
    .waitFor({ state: 'attached' });
}

describe('the overview', () => {
  it('says that nothing has happened yet', async () => {
    await page.getByTestId('no-activity').waitFor();
    await page.getByTestId('no-calls').waitFor();
  });
});

describe('the sessions in the playground', () => {
  it('are listed newest first, opened and deleted', async () => {
    await page.getByRole('menuitem', { name: 'Playground' }).click();
    await page.getByTestId('session-tools').getByText('bash').waitFor();
    await say('CALL list_dir {}');
    await page.getByTestId('chat-new').click();
    await say('second');
    await page.getByTestId('session').nth(1).waitFor();
    expect(await page.getByTestId('session').first().innerText()).toContain('second');
    await page.getByTestId('session').nth(1).click();
    await page.getByTestId('turn').getByTestId('tool-card-list_dir').waitFor();
    await page.getByTestId('session-delete').first().click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByTestId('session').nth(1).waitFor({ state: 'detached' });
    await page.getByTestId('turn').getByTestId('tool-card-list_dir').waitFor();
  });
});

describe('the charts', () => {
  it('show what ran and which tools were called, and keep their window in the address', async () => {
    await page.getByRole('menuitem', { name: 'Overview' }).click();
    await page.getByTestId('runs-chart').locator('canvas').waitFor();
    await page.getByRole('img', { name: /list_dir 1/ }).waitFor();
    await page.getByTestId('window-7d').click();
    await page.waitForURL(/window=7d/);
    await page.reload();
    await page.getByRole('radio', { name: '7 days', checked: true }).waitFor();
    await page.getByTestId('tools-chart').locator('canvas').waitFor();
  });
});

describe('a link to a tool', () => {
  it('opens its drawer by name, and the address then has its id', async () => {
    await page.goto('/agent/tools?tool=bash');
    await page.getByTestId('tool-label').waitFor();
    await page.waitForURL(/tool=\d+$/);
    await page.reload();
    await page.getByTestId('tool-label').waitFor();
  });
});

it('breaks no rule of the content security policy and misses no message', () => {
  expect(console.complaints).toEqual([]);
});
