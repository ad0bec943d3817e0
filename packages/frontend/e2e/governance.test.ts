import { selectors, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiOf, chat } from './api.js';
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

describe('an operator', () => {
  it('syncs and sees the tools', async () => {
    await page.getByRole('menuitem', { name: 'Tools', exact: true }).click();
    await page.getByTestId('sync').click();
    await page.getByTestId('sync-result').getByText('0 new').waitFor();
    await page.getByTestId('open-bash').waitFor();
    expect(await page.getByRole('button', { name: 'patch' }).count()).toBe(1);
  });

  it('finds tools again by the address', async () => {
    await page.getByTestId('filter-keyWord').fill('patch');
    await page.waitForURL(/keyWord=patch/);
    await page.reload();
    await page.getByTestId('open-patch').waitFor();
    expect(await page.getByTestId('open-todo').count()).toBe(0);
  });

  it('edits a prompt hint and sees it in a preview', async () => {
    await page.getByTestId('open-patch').click();
    await page.getByTestId('tool-hint-override').click();
    await page.getByTestId('tool-hint').fill('Read the file twice before patching.');
    await page.getByTestId('tool-save').click();
    await page.getByTestId('history').getByText('promptHint').waitFor();
    await page.goto('/agent/agents');
    await page.getByTestId('agent-demo').click();
    await page.getByRole('tab', { name: 'Prompt preview' }).click();
    await page.getByTestId('layer-tools').getByText('Read the file twice').waitFor();
  });

  it('cannot turn off a core tool, and is told why', async () => {
    await page.goto('/agent/tools?keyWord=todo');
    const lock = page.getByTestId('locked-todo');
    await lock.focus();
    await page.getByRole('tooltip').getByText('cannot be turned off').waitFor();
    expect(await page.getByTestId('status-todo').count()).toBe(0);
  });

  it('sees the affected agents before turning a tool off', async () => {
    await page.goto('/agent/tools?keyWord=bash');
    await page.getByRole('switch', { name: 'Status of bash' }).press('Space');
    await page.locator('.affected-agents').getByText('demo').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.locator('.affected-agents').waitFor({ state: 'hidden' });
  });

  it('chooses toolsets, disables one tool, saves, and finds it so again', async () => {
    await page.goto('/agent/agents/new');
    await page.getByTestId('agent-field-name').fill('careful');
    await page.getByRole('tab', { name: 'Sandbox' }).click();
    await page.getByText('local', { exact: true }).click();
    await page.getByRole('tab', { name: 'Tool configuration' }).click();
    await page.getByTestId('default-toolsets').click();
    await page.getByTestId('move-bash').click();
    await page.getByTestId('excluded-bash').getByText('disabled by the agent').waitFor();
    await page.getByTestId('effective-tools').getByText('read_file').waitFor();
    await page.getByTestId('agent-save').click();
    await page.waitForURL(/agents\/\d+/);
    await page.reload();
    await page.getByRole('tab', { name: 'Tool configuration' }).click();
    await page.getByTestId('tools-disabled').getByTestId('move-bash').waitFor();
    await page.getByTestId('toolsets').getByText('Planning').waitFor();
  });

  it('sees why a tool is left out, and where to change it', async () => {
    const excluded = page.getByTestId('excluded-bash');
    await excluded.getByText('Turned off for this agent').waitFor();
    await excluded.getByText('Change in Tool configuration').waitFor();
  });
});

describe('two operators', () => {
  it('edit the same tool, and nothing is lost', async () => {
    const other = await console.newPage();
    await signIn(other);
    for (const each of [page, other]) {
      await each.goto('/agent/tools?keyWord=write_file');
      await each.getByTestId('open-write_file').click();
      await each.getByTestId('tool-label').waitFor();
    }
    await page.getByTestId('tool-label').fill('Write');
    await page.getByTestId('tool-save').click();
    await page.getByTestId('history').getByText('Write', { exact: true }).waitFor();
    await other.getByTestId('tool-hint-override').click();
    await other.getByTestId('tool-hint').fill('Small files only.');
    await other.getByTestId('tool-save').click();
    await other.getByText('changed by them').waitFor();
    await other.getByTestId('settle').click();
    await other.getByTestId('history').getByText('Small files only.').waitFor();
    expect(await other.getByTestId('tool-label').inputValue()).toBe('Write');
    await other.context().close();
  });
});

it('breaks no rule of the content security policy and misses no message', () => {
  expect(console.complaints).toEqual([]);
});

it('an agent remembers: the notes are searched, corrected and deleted, and its prompt shows them', async () => {
  await page.goto('/agent/agents');
  await page.getByTestId('agent-demo').click();
  await page.getByRole('tab', { name: 'Memory' }).click();
  await page.getByText('Nothing is remembered yet').waitFor();
  await page.getByRole('switch', { name: 'Memory' }).press('Space');
  await page.getByTestId('agent-save').click();
  await page.getByText('unsaved').waitFor({ state: 'hidden' });
  const api = await apiOf(console.url);
  for (const text of ['Likes oolong tea.', '住在汉堡。']) {
    await chat(api, 'demo', `CALL memory_save ${JSON.stringify({ text })}`);
  }
  await page.reload();
  await page.getByTestId('memory-entries').getByText('住在汉堡。').waitFor();
  await page.getByTestId('memory-search').fill('oolong');
  await page.getByTestId('memory-entries').getByText('住在汉堡。').waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Correct the note' }).click();
  await page.getByTestId('memory-text').fill('Likes green tea.');
  await page.getByTestId('memory-save').click();
  await page.getByTestId('memory-search').fill('');
  await page.getByTestId('memory-entries').getByText('Likes green tea.').waitFor();
  await page.getByRole('button', { name: 'Delete the note 住在汉堡' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByTestId('memory-entries').getByText('住在汉堡。').waitFor({ state: 'hidden' });
  await page.getByRole('tab', { name: 'Prompt preview' }).click();
  await page.getByTestId('layer-memory').getByText('Likes green tea.').waitFor();
});
