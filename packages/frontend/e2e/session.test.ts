import { authRoutes } from '@netaclaw/contracts';
import { selectors, type Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, it } from 'vitest';
import { apiOf, furnish, otherPassword } from './api.js';
import { signIn, startConsole, type Console } from './console.js';

selectors.setTestIdAttribute('data-test');

const person = { username: 'a-operator', password: otherPassword };
const newPassword = 'yet-another-password';
let console: Console;
let page: Page;
let agentId: number;

beforeAll(async () => {
  console = await startConsole();
  ({ agentId } = await furnish(await apiOf(console.url)));
});
afterAll(() => console?.close());

const field = () => page.getByTestId('agent-field-description');

/** In the middle of a form: signed in, an agent open, something typed. */
async function typeSomething(text: string) {
  await signIn(page, person.username, person.password);
  await page.goto(`/agent/agents/${agentId}`);
  await field().fill(text);
}

beforeEach(async () => {
  page = await console.newPage();
});
afterEach(() => page.context().close());

const stored = async () => {
  await page.getByText('Saved', { exact: true }).waitFor();
  await page.reload();
  return field().inputValue();
};

describe('in the middle of a form', () => {
  it('a token that has run out is renewed in silence', async () => {
    await typeSomething('Typed before the token ran out.');
    // As good as run out: the server knows it no more.
    await page.evaluate(() => {
      const key = 'netaclaw.tokens';
      const tokens: unknown = JSON.parse(localStorage.getItem(key) ?? '{}');
      localStorage.setItem(key, JSON.stringify(Object.assign({}, tokens, { token: 'gone' })));
    });
    const renewal = page.waitForResponse((response) => response.url().endsWith('/refreshToken'));
    await page.getByTestId('agent-save').click();
    expect((await renewal).status()).toBe(200);
    expect(await stored()).toBe('Typed before the token ran out.');
  });

  it('a server that is down is said, what is typed stays, and saving works when it is back', async () => {
    await typeSomething('Typed while the server was there.');
    await console.stopServer();
    await page.getByTestId('agent-save').click();
    await page.locator('.connection-banner').waitFor();
    expect(await field().inputValue()).toBe('Typed while the server was there.');
    await console.startServer();
    // By itself: nobody presses "try again".
    await page.locator('.connection-banner').waitFor({ state: 'hidden' });
    await page.getByTestId('agent-save').click();
    expect(await stored()).toBe('Typed while the server was there.');
  });

  it('a sign-in that was ended is asked for anew over the form, which stays', async () => {
    await typeSomething('Typed before the sign-in ended.');
    const elsewhere = await apiOf(console.url, person);
    // Ends every other sign-in of this person, refresh tokens included.
    await elsewhere.call(authRoutes.password, { password: person.password, newPassword });
    await page.getByTestId('agent-save').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Password').fill(newPassword);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    expect(await stored()).toBe('Typed before the sign-in ended.');
    expect(console.complaints).toEqual([]);
  });
});
