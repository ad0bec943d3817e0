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
  await page.getByRole('menuitem', { name: 'Playground' }).click();
  await page.getByTestId('session-tools').getByText('bash').waitFor();
});
afterAll(() => console?.close());

const turn = () => page.getByTestId('turn').last();
async function say(text: string) {
  await page.getByTestId('chat-input').fill(text);
  await page.getByTestId('chat-send').click();
}
const untilDone = () => turn().locator('[data-status=completed]').waitFor({ state: 'attached' });

describe('a chat', () => {
  it('shows a tool card, its result and that it is a rehearsal', async () => {
    await say('CALL list_dir {}');
    await untilDone();
    await turn().getByTestId('tool-card-list_dir').getByText('ok').waitFor();
    await turn().getByTestId('rehearsal').waitFor();
    await turn().getByTestId('answer-text').getByText('I made 1 tool call').waitFor();
  });

  it('is found again after a reload', async () => {
    await page.reload();
    await turn().getByTestId('tool-card-list_dir').waitFor();
  });

  it('shows how a turn ended also after a reload', async () => {
    await say('CALL no_such_tool {}');
    await untilDone();
    await page.reload();
    await turn().getByTestId('tool-card-no_such_tool').waitFor();
    await turn().getByTestId('rehearsal').waitFor();
  });

  it('refuses a message that is too large, and keeps it', async () => {
    await page.getByTestId('chat-input').fill('x'.repeat(1_100_000));
    await page.getByTestId('chat-send').click();
    await page.getByTestId('chat-too-large').waitFor();
    expect((await page.getByTestId('chat-input').inputValue()).length).toBe(1_100_000);
    await page.getByTestId('chat-input').fill('');
  });

  it('stops', async () => {
    await say('CALL bash {"command":"sleep 20"}');
    await turn().getByTestId('tool-card-bash').waitFor();
    await page.getByTestId('chat-stop').click();
    await turn().locator('[data-status=cancelled]').waitFor();
  });

  it('finds a turn under way after a reload', async () => {
    await say('CALL bash {"command":"sleep 3; echo awake"}');
    await turn().getByTestId('tool-card-bash').waitFor();
    await page.reload();
    await turn().getByTestId('tool-card-bash').getByText('awake').waitFor();
    await untilDone();
    expect(await turn().getByTestId('tool-card-bash').count()).toBe(1);
  });

  it.each([
    '<img src=x onerror=alert(1)>',
    '<svg onload=alert(1)>',
    '[x](javascript:alert(1))',
    '<script>alert(1)</script>',
  ])('shows %s as text', async (payload) => {
    let alerts = 0;
    page.on('dialog', (dialog) => {
      alerts += 1;
      void dialog.dismiss();
    });
    await say(`CALL ${payload.replaceAll(' ', '_')} {}`);
    await untilDone();
    const dangerous =
      '.markdown img, .markdown svg, .markdown script, .markdown a[href^=javascript]';
    expect(await page.locator(dangerous).count()).toBe(0);
    expect(alerts).toBe(0);
  });
});

describe('a lost connection', () => {
  it('lets a message be taken back before it was sent', async () => {
    const turns = await page.getByTestId('turn').count();
    await page.context().setOffline(true);
    await say('never said');
    await page.getByRole('status').getByText(/lost/).waitFor();
    await page.getByTestId('chat-stop').click();
    await turn().locator('[data-status=cancelled]').waitFor();
    await page.context().setOffline(false);
    await page.reload();
    await page
      .getByTestId('turn')
      .nth(turns - 1)
      .waitFor();
    expect(await page.getByTestId('turn').count()).toBe(turns);
  });

  it('is said, and the turn goes on without losing or doubling', async () => {
    await say('CALL bash {"command":"sleep 3; echo survived"}');
    await turn().getByTestId('tool-card-bash').waitFor();
    await page.context().setOffline(true);
    await page.getByText('The connection was lost').waitFor();
    await page.waitForTimeout(500);
    await page.context().setOffline(false);
    await turn().getByTestId('tool-card-bash').getByText('survived').waitFor();
    await untilDone();
    expect(await turn().getByTestId('tool-card-bash').count()).toBe(1);
  });

  it('to a server that is down is said and ends by itself', async () => {
    await console.stopServer();
    await page.getByRole('menuitem', { name: 'Tools', exact: true }).click();
    await page.getByRole('alert').getByText('cannot be reached').first().waitFor();
    await console.startServer();
    await page.getByRole('button', { name: 'Try again' }).first().click();
    await page.getByTestId('open-bash').waitFor();
  });
});

it('breaks no rule of the content security policy and misses no message', () => {
  expect(console.complaints).toEqual([]);
});
