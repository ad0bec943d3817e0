import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Json } from './client.js';
import { chat, makeAgent, startScenario, toolRow, wireTools, type Scenario } from './scenario.js';
import { calls, text } from './scripted_provider.js';

let scenario: Scenario;
beforeAll(async () => {
  scenario = await startScenario();
});
afterAll(() => scenario.end());

const makeReader = (capability: string): Promise<Json> =>
  makeAgent(scenario, { toolsets: ['vision'], runtime: 'local', capability });

async function upload(name: string): Promise<string> {
  const { admin } = scenario;
  const form = new FormData();
  const image = await readFile(new URL(`images/${name}`, import.meta.url));
  form.append('file', new Blob([image], { type: 'image/png' }), name);
  const response = await fetch(`${admin.url}/api/netaclaw/files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin.token}` },
    body: form,
  });
  const { data }: Json = await response.json();
  return data.fileId;
}

it('is in the table after a boot, as its file declares it', async () => {
  expect(await toolRow(scenario.admin, 'vision_ocr')).toMatchObject({
    toolset: 'vision',
    capability: 'vision',
    status: 1,
    source: 'builtin',
    catalogState: 'present',
  });
});

it('gives a vision model the text of an image that was attached', async () => {
  const { admin, provider } = scenario;
  const { name: agent } = await makeReader('vision');
  const message = [
    { type: 'text', text: 'What does it say?' },
    { type: 'file', fileId: await upload('mixed.png') },
  ];
  provider.script(async (response, request) => {
    const [, path] = /workspace at (\S+?)\]/.exec(request.text) ?? [];
    const args = JSON.stringify({ path });
    await calls({ name: 'vision_ocr', arguments: args })(response, request);
  }, text('An order.'));
  const { toolCalls } = await chat(admin, { agent, message });
  expect(toolCalls).toMatchObject([{ name: 'vision_ocr', status: 'ok' }]);
  expect(wireTools(provider.requests.at(-1))).toEqual(['vision_ocr']);
  expect(provider.requests.at(-1)?.body.messages?.at(-1)).toMatchObject({
    role: 'tool',
    content: expect.stringContaining('订单编号 4711 已发货 Thank you'),
  });
});

it('is kept from a text model, which is told why when it calls it all the same', async () => {
  const { admin, provider } = scenario;
  const { id, name: agent } = await makeReader('text');
  const preview = await admin.ask('/admin/netaclaw/agent/previewPrompt', { id });
  expect(preview.disabledReasons).toEqual([
    {
      name: 'vision_ocr',
      reason: 'capability_mismatch',
      detail: expect.stringContaining('Needs a model with vision'),
    },
  ]);
  provider.script(calls({ name: 'vision_ocr', arguments: '{"path":"a.png"}' }), text('Well.'));
  const { toolCalls } = await chat(admin, { agent });
  expect(toolCalls).toMatchObject([{ name: 'vision_ocr', status: 'refused' }]);
});
