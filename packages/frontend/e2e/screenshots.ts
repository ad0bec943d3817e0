import { join } from 'node:path';
import { selectors, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { apiOf, chat, furnish, type Api } from './api.js';
import { signIn, startConsole, type Console } from './console.js';
import type { Places } from './pages.js';
import { settled, visit, withoutMotion } from './settled.js';

selectors.setTestIdAttribute('data-test');

/** The pictures of the operator's guide: `npm run screenshots` draws them anew. */
const folder = join(import.meta.dirname, '../../../docs/images');

let console: Console;
let api: Api;
let shots: [name: string, path: string][];

beforeAll(async () => {
  console = await startConsole();
  api = await apiOf(console.url);
  const places = await furnish(api);
  const { sessionId } = await chat(
    api,
    'demo',
    'CALL write_file {"path":"notes.md","content":"# Notes"}',
  );
  await chat(api, 'demo', 'Good morning');
  shots = shotsOf(places, sessionId);
});
afterAll(() => console?.close());

const shotsOf = (
  { agentId, runId, crewId, skillId }: Places,
  sessionId: string,
): [string, string][] => [
  ['overview', '/overview'],
  ['agents', '/agent/agents'],
  ['agent', `/agent/agents/${agentId}?tab=tools`],
  ['memory', `/agent/agents/${agentId}?tab=memory`],
  ['preview', `/agent/agents/${agentId}?tab=preview`],
  ['crews', '/agent/crews'],
  ['crew', `/agent/crews/${crewId}`],
  ['tools', '/agent/tools'],
  ['tool', '/agent/tools?keyWord=patch'],
  ['skills', '/skills'],
  ['skill', `/skills/${skillId}`],
  ['playground', `/playground?agent=demo&session=${sessionId}`],
  ['runs', '/runs'],
  ['run', `/runs/${runId}`],
  ['channels', '/channels'],
  ['audit', '/audit'],
  ['settings', '/settings/users'],
  ['api-keys', '/settings/api-keys'],
];

async function draw(page: Page, ending: string) {
  for (const [name, path] of shots) {
    await visit(page, path);
    if (name === 'tool') await page.getByTestId('open-patch').click();
    await settled(page);
    const file = join(folder, `${name}${ending}.jpg`);
    await page.screenshot({ path: file, type: 'jpeg', quality: 50 });
  }
}

describe.each([
  { locale: 'en-US', colorScheme: 'light', ending: '' },
  { locale: 'en-US', colorScheme: 'dark', ending: '-dark' },
  { locale: 'zh-CN', colorScheme: 'light', ending: '-zh' },
  { locale: 'zh-CN', colorScheme: 'dark', ending: '-zh-dark' },
] as const)('the console, $locale, $colorScheme', ({ locale, colorScheme, ending }) => {
  it('is drawn', async () => {
    const page = await console.newPage({
      locale: 'en-US',
      colorScheme,
      viewport: { width: 1280, height: 800 },
    });
    await withoutMotion(page.context());
    await signIn(page);
    await page.evaluate(
      (language) => localStorage.setItem('netaclaw.locale', language),
      locale.slice(0, 2),
    );
    await draw(page, ending);
    await page.context().close();
  }, 120_000);
});
