import { agentRoutes, channelRoutes, toolRoutes } from '@netaclaw/contracts';
import { selectors, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiOf, chat } from './api.js';
import { signIn, startConsole, type Console } from './console.js';
import { visit } from './settled.js';

selectors.setTestIdAttribute('data-test');

/** What somebody would write who wants to run a script in an operator's browser. */
const payload = [
  '<script>window.hacked=1</script>',
  '<img src=x onerror=window.hacked=1>',
  '<svg onload=window.hacked=1></svg>',
  '[a](javascript:window.hacked=1)',
  '<a href="javascript:window.hacked=1">b</a>',
].join(' ');

let console: Console;
let page: Page;
let paths: Record<string, string>;
const dialogs: string[] = [];

beforeAll(async () => {
  console = await startConsole();
  paths = await poison();
  page = await console.newPage();
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  await signIn(page);
});
afterAll(() => console?.close());

/** Writes the payload wherever an operator, a model or a tool may write; answers where it then shows. */
async function poison(): Promise<Record<string, string>> {
  const api = await apiOf(console.url);
  const { list } = await api.call(toolRoutes.page, { keyWord: 'patch' });
  const tool = list.find(({ name }) => name === 'patch');
  if (!tool) throw new Error('there is no tool patch');
  await api.call(toolRoutes.update, {
    id: tool.id,
    version: tool.version,
    label: payload.slice(0, 200),
    description: payload,
    promptHint: payload,
    extra: { note: payload },
  });
  const agent = await api.call(agentRoutes.add, {
    name: 'poisoned',
    label: payload.slice(0, 200),
    description: payload,
    systemPrompt: payload,
    runtime: 'local',
    channelId: (await api.call(channelRoutes.list, {}))[0]?.id ?? null,
  });
  await api.call(channelRoutes.add, {
    name: payload.slice(0, 100),
    protocol: 'rehearsal',
    model: payload.slice(0, 200),
  });
  const said = await chat(api, 'poisoned', payload);
  const told = await chat(
    api,
    'poisoned',
    `CALL bash ${JSON.stringify({ command: `echo '${payload}'` })}`,
  );
  const missed = await chat(api, 'poisoned', `CALL read_file ${JSON.stringify({ path: payload })}`);
  return {
    Overview: '/overview',
    Tools: '/agent/tools?keyWord=patch',
    'the drawer of a tool': `/agent/tools?keyWord=patch&tool=${tool.id}`,
    Agents: '/agent/agents',
    'an agent': `/agent/agents/${agent.id}`,
    'its tools': `/agent/agents/${agent.id}?tab=tools`,
    'its preview': `/agent/agents/${agent.id}?tab=preview`,
    Channels: '/channels',
    'what a person and a model said': `/playground?agent=poisoned&session=${said.sessionId}`,
    'what a tool answered': `/playground?agent=poisoned&session=${told.sessionId}`,
    'a run': `/runs/${told.runId}`,
    'an error of a tool': `/runs/${missed.runId}`,
    Runs: '/runs',
    Audit: '/audit',
  };
}

/** Elements that only a payload could have brought. */
const intruders = () =>
  page.evaluate(() =>
    [
      ...document.querySelectorAll(
        'body script:not([src]), img[src="x"], svg[onload], [onerror], [onload], a[href^="javascript:" i]',
      ),
    ].map((element) => element.outerHTML.slice(0, 120)),
  );

describe('what a stranger wrote is text', () => {
  const places = [
    'Overview',
    'Tools',
    'the drawer of a tool',
    'Agents',
    'an agent',
    'its tools',
    'its preview',
    'Channels',
    'what a person and a model said',
    'what a tool answered',
    'a run',
    'an error of a tool',
    'Runs',
    'Audit',
  ];
  it.each(places)('in %s', async (place) => {
    await visit(page, paths[place] ?? '');
    await page.evaluate(() => {
      for (const details of document.querySelectorAll('details')) details.open = true;
    });
    expect(await intruders()).toEqual([]);
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
    expect(dialogs).toEqual([]);
  });

  it('in the words of an error', async () => {
    await page.route('**/tool/page', (route) =>
      route.fulfill({
        status: 400,
        json: { code: 1002, message: payload, details: [{ path: payload, message: payload }] },
      }),
    );
    await visit(page, '/agent/tools');
    await page.getByRole('alert').getByText('window.hacked').first().waitFor();
    expect(await intruders()).toEqual([]);
    await page.unroute('**/tool/page');
  });

  it('is really there: the tests above look at something', async () => {
    await visit(page, paths['its preview'] ?? '');
    await page.getByTestId('layer-profile').getByText('<script>window.hacked=1</script>').waitFor();
  });
});

describe('the content security policy', () => {
  it('lets no script run but the console’s own', async () => {
    const policy = (await fetch(console.url)).headers.get('content-security-policy') ?? '';
    const rules = new Map(
      policy.split(';').map((rule) => {
        const [name = '', ...values] = rule.trim().split(/\s+/);
        return [name, values] as const;
      }),
    );
    expect(rules.get('script-src') ?? rules.get('default-src')).toEqual(["'self'"]);
    expect(rules.get('object-src') ?? rules.get('default-src')).toEqual(["'none'"]);
    expect(rules.get('base-uri')).toBeDefined();
    expect(rules.get('frame-ancestors')).toEqual(["'none'"]);
  });

  it('stops a script that came into the page all the same', async () => {
    await visit(page, '/overview');
    await page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'window.hacked = 1';
      document.body.append(script);
    });
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
  });
});
