import { agentRoutes, type Agent } from '@netaclaw/contracts';
import { selectors, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiOf, type Api } from './api.js';
import { crowdedServer, signIn, startConsole, type Console } from './console.js';
import { settled } from './settled.js';

selectors.setTestIdAttribute('data-test');

/** The promise is one second; a machine busy with other tests is given three before this fails. */
const MOST_MS = 3000;
const PAGE_BYTES = 64 * 1024;
const AGENTS = 1000;

let console: Console;
let page: Page;
let agent: Agent;
/** Bytes of what the server answered since a page was opened, by address. */
let answers: Map<string, number>;

beforeAll(async () => {
  console = await startConsole();
  agent = await addAgents(await apiOf(console.url));
  await console.stopServer();
  await console.startServer(crowdedServer);
  page = await console.newPage();
  page.on('response', async (response) => {
    const { pathname } = new URL(response.url());
    if (!/^\/(admin|api)\//.test(pathname)) return;
    const body = await response.body().catch(() => Buffer.alloc(0));
    answers.set(pathname, Math.max(body.length, answers.get(pathname) ?? 0));
  });
  answers = new Map();
  await signIn(page);
}, 180_000);
afterAll(() => console?.close());

async function addAgents(api: Api): Promise<Agent> {
  const names = Array.from({ length: AGENTS }, (_, index) => `agent-${index}`);
  for (let from = 0; from < names.length; from += 50) {
    const part = names.slice(from, from + 50);
    await Promise.all(part.map((name) => api.call(agentRoutes.add, { name })));
  }
  return api.call(agentRoutes.add, { name: 'of-all', label: 'Has all of them', runtime: 'local' });
}

/** Goes to a page of the console that is open already, and measures until `content` shows. */
async function open(path: string, content: (page: Page) => Promise<unknown>): Promise<number> {
  await page.goto('/settings/account');
  await settled(page);
  answers = new Map();
  const before = performance.now();
  // What a link does: the console stays, its address changes.
  await page.evaluate((to) => {
    history.pushState({}, '', to);
    dispatchEvent(new PopStateEvent('popstate', { state: {} }));
  }, path);
  await content(page);
  const took = performance.now() - before;
  await settled(page);
  return took;
}

describe('with ten thousand tools and a thousand agents', () => {
  it.each<[string, string, (page: Page) => Promise<unknown>]>([
    [
      'Overview',
      '/overview',
      (at) =>
        at
          .getByTestId('count-tools')
          .getByText(/10\D?\d\d\d/)
          .waitFor(),
    ],
    ['Tools', '/agent/tools', (at) => at.locator('[data-test^=open-]').first().waitFor()],
    [
      'Tools, searched',
      '/agent/tools?keyWord=crowd_07',
      (at) => at.getByTestId('open-crowd_07000').waitFor(),
    ],
    ['Agents', '/agent/agents', (at) => at.locator('[data-test^=agent-]').first().waitFor()],
    ['Playground', '/playground', (at) => at.getByTestId('chat-agent').waitFor()],
  ])('%s shows in time and loads a page of it', async (_name, path, content) => {
    expect(await open(path, content)).toBeLessThan(MOST_MS);
    expect([...answers].filter(([address, size]) => size > allowed(address))).toEqual([]);
  });

  it('the tool configuration shows in time, searches and moves', async () => {
    const path = `/agent/agents/${agent.id}?tab=tools`;
    const took = await open(path, (at) => at.getByTestId('move-crowd_00000').waitFor());
    expect(took).toBeLessThan(MOST_MS);
    expect([...answers].filter(([address, size]) => size > allowed(address))).toEqual([]);
    expect(await page.locator('main *').count()).toBeLessThan(3000);
    await page.getByLabel('Search tools', { exact: true }).fill('crowd_09999');
    await page.getByTestId('move-crowd_09999').click();
    await page.getByTestId('tools-disabled').getByTestId('move-crowd_09999').waitFor();
    await page.getByTestId('excluded-crowd_09999').getByText('disabled by the agent').waitFor();
  });

  it('a tool says which agents use it, and its drawer stays quick', async () => {
    const took = await open('/agent/tools?keyWord=crowd_00042', (at) =>
      at.getByTestId('open-crowd_00042').click(),
    );
    expect(took).toBeLessThan(MOST_MS);
    const before = performance.now();
    await page
      .getByTestId('used-by')
      .getByText(/and \d+ more/)
      .waitFor();
    expect(performance.now() - before).toBeLessThan(MOST_MS);
  });
});

/** Names to choose from are many by their nature, each of them short; everything else is a page. */
function allowed(address: string): number {
  return address.endsWith('/list') || address.endsWith('/previewPrompt') ? 1024 * 1024 : PAGE_BYTES;
}
