import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { selectors, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiOf, chat, type Api } from './api.js';
import { signIn, startConsole, type Console } from './console.js';

selectors.setTestIdAttribute('data-test');

let console: Console;
let api: Api;
let page: Page;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'netaclaw-skill-'));
  console = await startConsole();
  api = await apiOf(console.url);
  page = await console.newPage();
  await signIn(page);
});
afterAll(async () => {
  await console?.close();
  await rm(folder, { recursive: true, force: true });
});

const text = (description: string, body: string): string =>
  `---\nname: weekly-report\ndescription: ${description}\nallowed-tools: read_file\n---\n\n${body}\n`;

async function layOut(content: string): Promise<string> {
  const skill = join(folder, 'weekly-report');
  await mkdir(skill, { recursive: true });
  await writeFile(join(skill, 'SKILL.md'), content);
  await writeFile(join(skill, 'FORM.md'), 'The form of a report.');
  return skill;
}

async function step(name: string) {
  await page.getByTestId(`skill-${name}`).click();
  await page.getByTestId('skill-sure-yes').click();
  await page.getByTestId('skill-sure').waitFor({ state: 'hidden' });
}

const status = (word: string) => page.getByTestId('skill-status').getByText(word).waitFor();

describe('an operator', () => {
  it('is told what is wrong with a folder, with the line and what to do', async () => {
    await page.getByRole('menuitem', { name: 'Skills', exact: true }).click();
    await page.getByTestId('skill-import').click();
    await page
      .getByTestId('skill-folder')
      .setInputFiles(await layOut(text('Use when: asked', 'Write.')));
    const dialog = page.getByTestId('skill-import-dialog');
    await dialog.getByText(/line 3.*quotes/).waitFor();
  });

  it('mends and imports it, and sees it whole', async () => {
    await page
      .getByTestId('skill-folder')
      .setInputFiles(await layOut(text('"Use when: asked"', '# Steps\n\n**Write** it.')));
    await page.waitForURL(/skills\/\d+/);
    await status('draft');
    await page.getByTestId('skill-fields').getByText('Use when: asked').waitFor();
    await page.getByTestId('skill-body').locator('strong').getByText('Write').waitFor();
    await page.getByRole('tab', { name: 'Files' }).click();
    await page.getByTestId('file-FORM.md').locator('summary').click();
    await page.getByText('The form of a report.').waitFor();
  });

  it('submits, approves and publishes it, and is asked each time', async () => {
    await step('submit');
    await status('in review');
    await page.getByTestId('skill-approve').click();
    await page.getByTestId('skill-comment').fill('Good.');
    await page.getByTestId('skill-sure-yes').click();
    await page.getByText('Comment: Good.').first().waitFor();
    await step('publish');
    await status('published');
  });

  it('begins the next version, and compares it with the first', async () => {
    await page.getByRole('tab', { name: 'Source' }).click();
    const source = page.locator('[data-test=skill-source]');
    await source.fill((await source.inputValue()).replace('**Write** it.', '**Draw** it.'));
    await page.getByTestId('skill-save').click();
    await status('draft');
    await page.getByRole('tab', { name: 'Versions' }).click();
    const compared = page.getByTestId('skill-compare');
    await compared.locator('ins').getByText('Draw').waitFor();
    await compared.locator('del').getByText('Write').waitFor();
  });

  it('loses nothing that was typed when somebody else was faster', async () => {
    const other = await console.newPage();
    await signIn(other);
    for (const each of [page, other]) {
      await each.goto(`${page.url().split('?')[0]}?tab=source`);
      await each.locator('[data-test=skill-source]').waitFor();
    }
    for (const [each, word] of [
      [page, 'Sing'],
      [other, 'Dance'],
    ] as const) {
      const source = each.locator('[data-test=skill-source]');
      await source.fill((await source.inputValue()).replace('Draw', word));
    }
    await page.getByTestId('skill-save').click();
    await page.getByTestId('skill-save').and(page.locator(':disabled')).waitFor();
    await other.getByTestId('skill-save').click();
    await other.getByTestId('skill-conflict').locator('del').getByText('Sing').waitFor();
    await other.getByTestId('skill-overwrite').click();
    await other.getByTestId('skill-conflict').waitFor({ state: 'hidden' });
    await other.reload();
    expect(await other.locator('[data-test=skill-source]').inputValue()).toContain('Dance');
    await other.context().close();
    await page.reload();
  });

  it('publishes the second and brings the first back', async () => {
    await step('submit');
    await status('in review');
    await step('approve');
    await page.getByTestId('skill-publish').waitFor();
    await step('publish');
    await status('published');
    await page.getByRole('tab', { name: 'Versions' }).click();
    await page.getByTestId('rollback-1').click();
    await page.getByRole('button', { name: 'Bring back' }).last().click();
    await page.getByTestId('version-1').getByText('published').waitFor();
    await page.getByTestId('version-2').getByText('archived').waitFor();
  });

  it('exports it', async () => {
    const download = page.waitForEvent('download');
    await page.getByTestId('skill-export').click();
    expect((await download).suggestedFilename()).toBe('weekly-report-v2.zip');
  });

  it('chooses it for an agent, sees why it is hidden, grants the tools and pins it', async () => {
    await page.goto('/agent/agents/new');
    await page.getByTestId('agent-field-name').fill('reporter');
    await page.getByRole('tab', { name: 'Skill configuration' }).click();
    await page.getByTestId('skills-available').getByTestId('move-weekly-report').click();
    const chosen = page.getByTestId('skills-chosen');
    await chosen.getByText(/It works with read_file/).waitFor();
    await page.getByRole('tab', { name: 'Sandbox' }).click();
    await page.getByText('local', { exact: true }).click();
    await page.getByRole('tab', { name: 'Skill configuration' }).click();
    await chosen.getByText('Use when: asked').waitFor();
    await chosen.getByText('Pin', { exact: true }).click();
    await page.getByRole('tab', { name: 'Prompt preview' }).click();
    await page.getByTestId('skill-message-weekly-report').getByText('**Write** it.').waitFor();
    await page.getByRole('tab', { name: 'Model', exact: true }).click();
    await page.getByTestId('agent-channel').click();
    await page.getByRole('option', { name: /Rehearsal/ }).click();
    await page.getByTestId('agent-save').click();
    await page.waitForURL(/agents\/\d+/);
  });

  it('sees in a run which skills it had, and that the model read one', async () => {
    const { runId, toolCalls } = await chat(
      api,
      'reporter',
      'CALL skill_view {"name":"weekly-report","file":"FORM.md"}',
    );
    expect(toolCalls.map(({ name, status: how }) => [name, how])).toEqual([['skill_view', 'ok']]);
    await page.goto(`/runs/${runId}`);
    await page
      .getByTestId('run-skills')
      .getByTestId('active-weekly-report')
      .getByText('sent with every turn')
      .waitFor();
  });

  it('finds it by the address, with the agent that has it, and takes it away', async () => {
    await page.goto('/skills?status=published&keyWord=weekly');
    await page.getByTestId('open-weekly-report').click();
    await page.getByTestId('skill-used-by').getByText('reporter').waitFor();
    expect(await page.getByTestId('skill-delete').count()).toBe(0);
    await step('archive');
    await status('archived');
  });
});

it('breaks no rule of the content security policy and misses no message', () => {
  expect(console.complaints).toEqual([]);
});
