import { selectors, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addCrew, apiOf, furnish, otherPassword, type Api } from './api.js';
import { signIn, startConsole, type Console } from './console.js';

selectors.setTestIdAttribute('data-test');

let console: Console;
let page: Page;
let api: Api;

beforeAll(async () => {
  console = await startConsole();
  api = await apiOf(console.url);
  await furnish(api);
  page = await console.newPage();
  await signIn(page);
});
afterAll(() => console?.close());

/** Chooses in a list that opens on a click, by typing a part of what is meant. */
async function choose(testId: string, text: string) {
  await page.getByTestId(testId).click();
  await page.keyboard.type(text);
  const options = page.locator('[role=option]:visible');
  await options.filter({ hasText: text }).first().click();
  // One list fades out while the next comes up.
  await options.first().waitFor({ state: 'hidden' });
}

describe('an operator', () => {
  it('makes a crew, and is told at the member what does not go', async () => {
    await page.getByRole('menuitem', { name: 'Crews' }).click();
    await page.getByTestId('add-crew').click();
    await page.getByTestId('crew-name').fill('newsroom');
    await choose('crew-master', 'careful');
    await page.getByTestId('member-add').click();
    await choose('member-agent-0', 'demo');
    await page.getByTestId('member-alias-0').fill('No Good');
    await page.getByTestId('member-0').getByRole('alert').waitFor();
    expect(await page.getByTestId('crew-save').isDisabled()).toBe(true);
    await page.getByTestId('member-alias-0').fill('reader');
    await page.getByTestId('member-0').getByText('delegate_reader').waitFor();
    await page.getByTestId('member-add').click();
    await choose('member-agent-1', 'demo');
    await page.getByTestId('crew-save').click();
    await page.locator('.error-panel').getByText('this agent is members.0 already').waitFor();
    await page.getByTestId('member-remove-1').click();
    await page.getByTestId('crew-save').click();
    await page.waitForURL(/crews\/\d+$/);
    await page.getByTestId('person-reader').waitFor();
    await page.getByText('This crew has not been talked to yet.').waitFor();
  });

  it('talks to a crew in the playground and watches its members', async () => {
    await page.goto('/playground?agent=crew:press');
    await page.getByTestId('session-tools').getByText('delegate_writer').waitFor();
    const todo = JSON.stringify({ items: [{ content: 'Write', status: 'completed' }] });
    const task = `CALL todo ${todo}`;
    await page
      .getByTestId('chat-input')
      .fill(
        `CALL delegate_writer ${JSON.stringify({ task })}\nCALL delegate_demo ${JSON.stringify({ task: 'What do you see?' })}`,
      );
    await page.keyboard.press('Enter');
    const card = page.getByTestId('tool-card-delegate_writer');
    await card.getByTestId('tool-card-status').first().getByText('ok').waitFor();
    await card.getByText("The member's work").click();
    await card.getByTestId('member-work').getByTestId('tool-card-todo').waitFor();
    await page.waitForURL(/agent=crew(:|%3A)press/);
    await page.waitForURL(/session=/);
  });

  it('sees in the graph how each member stood in a run', async () => {
    await page.goto('/agent/crews');
    await page.getByTestId('crew-press').click();
    await page.locator('[data-test=person-writer][data-state=completed]').waitFor();
    await page.locator('[data-test=person-master][data-state=completed]').waitFor();
    await page.getByTestId('crew-run').click();
    await page.getByRole('option').last().click();
    await page.locator('[data-test=person-demo][data-state=idle]').waitFor();
  });

  it('sees the run as a tree, down to the steps of its members and up again', async () => {
    await page.goto('/runs?crew=press&roots=1');
    await page.locator('[data-test^=run-]').first().click();
    const member = page.getByTestId('member-writer');
    await member.getByText('Steps of writer').click();
    await member.getByTestId('step-tool').getByText('todo').waitFor();
    await member.getByText("Open the member's run").click();
    await page.getByTestId('run-header').getByText('press-writer').waitFor();
    await page
      .getByTestId('run-header')
      .getByRole('link', { name: 'Run that delegated this' })
      .click();
    await page.getByTestId('run-header').getByText('press-chief').waitFor();
  });

  it('previews an agent as what it is in a crew', async () => {
    await page.goto('/agent/agents?keyWord=press-chief');
    await page.getByTestId('agent-press-chief').click();
    await page.getByRole('tab', { name: 'Prompt preview' }).click();
    const tools = page.getByRole('tabpanel').getByTestId('effective-tools');
    await tools.getByText('delegate_writer').waitFor({ state: 'hidden' });
    await page.getByTestId('preview-seat').click();
    await page.getByRole('option', { name: 'Master of press' }).click();
    await tools.getByText('delegate_writer').waitFor();
  });
});

it('two who edit the same crew lose nothing', async () => {
  const crew = await addCrew(api, 'two-hands');
  const other = await console.newPage();
  await signIn(other);
  for (const one of [page, other]) await one.goto(`/agent/crews/${crew.id}`);
  await page.getByTestId('crew-label').fill('Mine');
  await other.getByTestId('crew-description').fill('Theirs');
  await page.getByTestId('crew-save').click();
  await page.getByText('unsaved').waitFor({ state: 'hidden' });
  await other.getByTestId('crew-save').click();
  await other.getByTestId('settle').click();
  await other.getByTestId('conflict').waitFor({ state: 'hidden' });
  await page.reload();
  expect(await page.getByTestId('crew-label').inputValue()).toBe('Mine');
  expect(await page.getByTestId('crew-description').inputValue()).toBe('Theirs');
});

it('a crew under way is seen at work, and stopped with its members', async () => {
  await page.goto('/playground?agent=crew:press');
  await page.getByTestId('session-tools').getByText('delegate_demo').waitFor();
  const task = `CALL bash ${JSON.stringify({ command: 'sleep 20' })}`;
  await page.getByTestId('chat-input').fill(`CALL delegate_demo ${JSON.stringify({ task })}`);
  await page.keyboard.press('Enter');
  const viewer = await console.newPage();
  await signIn(viewer, 'a-viewer', otherPassword);
  await viewer.goto('/agent/crews');
  await viewer.getByTestId('crew-press').click();
  await viewer.locator('[data-test=person-demo][data-state=running]').waitFor();
  expect(await viewer.getByTestId('crew-save').count()).toBe(0);
  await page.getByTestId('chat-stop').click();
  await viewer.locator('[data-test=person-demo][data-state=cancelled]').waitFor();
  await viewer.locator('[data-test=person-master][data-state=cancelled]').waitFor();
});
