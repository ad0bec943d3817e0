import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { NetaClawToolRegistryService } from '../src/modules/netaclaw/service/tool/tool_registry.js';
import { NetaClawToolSourcesService } from '../src/modules/netaclaw/service/tool/tool_sources.js';
import type { Json } from './client.js';
import { chat, makeAgent, startScenario, wireTools, type Scenario } from './scenario.js';
import { calls } from './scripted_provider.js';
import { testSource, testTool } from './test_tools.js';

let scenario: Scenario;
let agent: Json;

beforeAll(async () => {
  scenario = await startScenario();
  const sources = await scenario.app.get(NetaClawToolSourcesService);
  const registry = await scenario.app.get(NetaClawToolRegistryService);
  const elsewhere = z.any().meta({ $ref: 'https://example.com/elsewhere.json' });
  const unspeakable = z.string();
  const { _zod: internals } = unspeakable;
  internals.toJSONSchema = () => {
    throw new Error('no words for it');
  };
  sources.add(
    testSource('careless', [
      testTool({ name: 'fine', parameters: z.object({ pair: z.tuple([z.string(), z.int()]) }) }),
      testTool({ name: 'leads_out', parameters: z.object({ a: elsewhere }) }),
      testTool({ name: 'unspeakable', parameters: z.object({ a: unspeakable }) }),
    ]),
  );
  await registry.syncCatalogToDb(null);
  agent = await makeAgent(scenario, { toolsets: ['document'], runtime: 'none' });
});
afterAll(() => scenario.end());

const rejections = [
  {
    name: 'leads_out',
    reason: 'schema_rejected',
    detail: expect.stringMatching(/\$ref.*elsewhere/),
  },
  {
    name: 'unspeakable',
    reason: 'schema_rejected',
    detail: expect.stringMatching(/no words for it/),
  },
];

it('a tool that the provider would refuse is out, and the preview says why', async () => {
  const preview = await scenario.admin.ask('/admin/netaclaw/agent/previewPrompt', { id: agent.id });
  expect(preview.toolNames).toEqual(['fine']);
  expect(preview.disabledReasons).toEqual(rejections);
});

it('the others work, with schemas that the provider takes', async () => {
  scenario.provider.script(
    calls(
      { name: 'leads_out', arguments: '{"a":1}' },
      { name: 'fine', arguments: '{"pair":["a",1]}' },
    ),
  );
  const turn = await chat(scenario.admin, { agent: agent.name });
  expect(turn).toMatchObject({ status: 'completed', disabledReasons: rejections });
  expect(turn.toolCalls).toMatchObject([
    { name: 'leads_out', status: 'refused' },
    { name: 'fine', status: 'ok' },
  ]);
  const [first] = scenario.provider.requests;
  expect(wireTools(first)).toEqual(['fine']);
  expect(first?.body.tools?.[0]?.function.parameters).toMatchObject({
    properties: { pair: { type: 'array', items: { anyOf: [{ type: 'string' }, {}] } } },
  });
});

it('the rehearsal takes any schema', async () => {
  const { list } = await scenario.admin.ask('/admin/netaclaw/channel/page', {
    protocol: 'rehearsal',
  });
  const { name, label, description, toolsets } = agent;
  const channelId = list[0].id;
  const preview = await scenario.admin.ask('/admin/netaclaw/agent/previewPrompt', {
    draft: { name, label, description, toolsets, channelId, runtime: 'none' },
  });
  expect(preview.toolNames).toEqual(['fine', 'leads_out', 'unspeakable']);
});
