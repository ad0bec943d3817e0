import { readFile } from 'node:fs/promises';
import { agentRoutes, channelRoutes } from '@netaclaw/contracts';
import { selectors, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BAY_KEY, BayStandIn } from '../../backend/test/sandbox_services/bay.js';
import { apiOf, chat, type Api } from './api.js';
import { signIn, startConsole, type Console } from './console.js';

selectors.setTestIdAttribute('data-test');

let bay: BayStandIn;
let console: Console;
let api: Api;
let page: Page;

beforeAll(async () => {
  bay = await new BayStandIn().start();
  console = await startConsole({
    BAY_URL: bay.url,
    BAY_API_KEY: BAY_KEY,
    EGRESS_ALLOW: '127.0.0.1',
  });
  api = await apiOf(console.url);
  const channels = await api.call(channelRoutes.list, {});
  const channelId = channels.find(({ name }) => name === 'Rehearsal')?.id ?? null;
  await api.call(agentRoutes.add, { name: 'boxed', channelId });
  page = await console.newPage();
  await signIn(page);
});
afterAll(async () => {
  await console?.close();
  await bay?.close();
});

const option = (name: RegExp) => page.getByRole('option', { name }).click();
const said = (text: RegExp) => page.getByText(text).first().waitFor();

describe('an operator', () => {
  it('gives an agent a sandbox: driver, profile from the service, test', async () => {
    await page.getByRole('menuitem', { name: 'Agents', exact: true }).click();
    await page.getByTestId('agent-boxed').click();
    await page.getByRole('tab', { name: 'Sandbox' }).click();
    await page.getByTestId('runtime-sandbox').click();
    await page.getByTestId('agent-driver').getByText('Shipyard Neo').waitFor();
    await page.getByTestId('agent-profile').click();
    await option(/python-default/);
    await page.getByTestId('profile-capabilities').getByText('filesystem').waitFor();
    await page.getByTestId('test-shipyard_neo').click();
    await page.getByTestId('tested-shipyard_neo').getByText('It answers').waitFor();
    await page.getByTestId('agent-save').click();
    await said(/^Saved$/);
    const { list } = await api.call(agentRoutes.page, { keyWord: 'boxed' });
    expect(list[0]?.sandbox).toEqual({ driver: 'shipyard_neo', profile: 'python-default' });
  });

  it('gets a file that the agent sends, and only by asking with the own sign-in', async () => {
    await page.goto('/playground?agent=boxed');
    const steps = [
      `CALL write_file ${JSON.stringify({ path: 'plan.txt', content: 'Plant the beans.' })}`,
      'THEN',
      `CALL download_file ${JSON.stringify({ remote_path: 'plan.txt' })}`,
    ];
    await page.getByTestId('chat-input').fill(steps.join('\n'));
    await page.getByTestId('chat-send').click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByTestId('save-file').click(),
    ]);
    expect(download.suggestedFilename()).toBe('plan.txt');
    expect(await readFile(await download.path(), 'utf8')).toBe('Plant the beans.');
  });

  it('sees the sandbox live, extends and stops and deletes it', async () => {
    await page.getByRole('menuitem', { name: 'Sandboxes', exact: true }).click();
    const row = page.getByRole('row', { name: /boxed/ });
    await row.getByText('running').waitFor();
    const before = bay.last.expiresAt ?? 0;
    await row.getByRole('button', { name: 'Extend' }).click();
    await page.getByTestId('extend-yes').click();
    await said(/^Extended$/);
    expect(bay.last.expiresAt).toBeGreaterThan(before);
    await row.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click();
    await row.getByText('stopped').waitFor();
    expect(bay.last.status).toBe('idle');
    await row.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await said(/No sandbox is live/);
    expect(bay.boxes.size).toBe(0);
  });

  it('sees which drivers are set up, and what to set for the others', async () => {
    await page.getByRole('link', { name: 'Drivers' }).click();
    await page
      .getByRole('row', { name: /Shipyard Neo/ })
      .getByText('set up', { exact: true })
      .waitFor();
    await page
      .getByRole('row', { name: /Boxlite/i })
      .getByText(/BOXLITE_URL/)
      .waitFor();
  });

  it('evaluates a candidate, releases it, and finds the draft among the skills', async () => {
    const skill = '---\nname: bean-care\ndescription: Cares for beans.\n---\n\nWater them.\n';
    const payload = { payload: { skill_markdown: skill }, kind: 'skill' };
    await chat(api, 'boxed', `CALL create_skill_payload ${JSON.stringify(payload)}`);
    const candidate = {
      skill_key: 'bean-care',
      source_execution_ids: ['exec-1'],
      payload_ref: 'payload-1',
    };
    await chat(api, 'boxed', `CALL create_skill_candidate ${JSON.stringify(candidate)}`);
    await page.getByRole('link', { name: 'Candidates' }).click();
    await page.getByTestId('payload-cand-1').click();
    await page.getByTestId('payload-drawer').getByText('Water them.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByTestId('promote-cand-1').click();
    await page
      .getByTestId('promote-dialog')
      .getByText(/No evaluation/)
      .waitFor();
    await page.getByTestId('promote-yes').click();
    await page
      .getByTestId('promote-dialog')
      .getByText(/no passing evaluation/)
      .waitFor();
    await page.getByTestId('promote-dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByTestId('evaluate-cand-1').click();
    await page.getByTestId('evaluate-yes').click();
    await page
      .getByRole('row', { name: /cand-1/ })
      .getByText('passed')
      .waitFor();
    await page.getByTestId('promote-cand-1').click();
    await page.getByTestId('stage-stable').click();
    await page.getByTestId('promote-yes').click();
    await said(/The skill bean-care is in the skill store/);
    await page.getByRole('menuitem', { name: 'Skills', exact: true }).click();
    await page.getByTestId('open-bean-care').waitFor();
  });

  it('cannot roll back the first release, and is told why', async () => {
    await page.goto('/sandboxes/releases');
    await page
      .getByRole('row', { name: /bean-care/ })
      .getByText('stable')
      .waitFor();
    await page.getByTestId('roll-back-rel-1').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Roll back' }).click();
    await said(/no earlier release/);
  });
});

it('nothing was complained of', () => {
  expect(console.complaints).toEqual([]);
});
