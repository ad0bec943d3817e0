import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { NetaClawToolRegistryService } from '../src/modules/netaclaw/service/tool/tool_registry.js';
import { NetaClawToolSourcesService } from '../src/modules/netaclaw/service/tool/tool_sources.js';
import { calls, channelFields, problemsOf, text, wireProtocols } from './any_protocol.js';
import type { Json } from './client.js';
import { openChat, streamChat, type StreamedEvent } from './event_stream.js';
import { chat, makeAgent, makeChannel, startScenario, type Scenario } from './scenario.js';
import type { ScriptedCall } from './scripted_provider.js';
import { testSource, testTool } from './test_tools.js';

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

let scenario: Scenario;
const agents: Record<string, Json> = {};

beforeAll(async () => {
  scenario = await startScenario();
  scenario.provider.otherwise(text('Still here.'));
  const sources = await scenario.app.get(NetaClawToolSourcesService);
  const registry = await scenario.app.get(NetaClawToolRegistryService);
  const parameters = z.object({ text: z.string().default('nothing') });
  sources.add(
    testSource('matrix', [
      testTool({ name: 'echo', parameters }),
      testTool({ name: 'endless' }, (signal) => aborted(signal)),
    ]),
  );
  await registry.syncCatalogToDb(null);
  for (const protocol of [...wireProtocols, 'rehearsal'] as const) {
    const fields =
      protocol === 'rehearsal'
        ? { protocol, baseUrl: null, model: 'rehearsal', capability: 'vision' }
        : channelFields(protocol, scenario.provider.host);
    const channel = await makeChannel(scenario.admin, fields);
    const limits = { maxContextMessages: 1000 };
    agents[protocol] = await makeAgent(
      { admin: scenario.admin, channel },
      { toolsets: ['document'], limits },
    );
  }
});
afterAll(() => scenario.end());

const aborted = (signal: AbortSignal): Promise<string> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve('stopped')));

/** A turn: rounds of calls, then words. */
interface Play {
  rounds: ScriptedCall[][];
  images?: boolean;
}

/** Makes a model of this protocol play the turn, and answers the message that begins it. */
async function prepare(protocol: string, { rounds, images = false }: Play): Promise<unknown> {
  if (protocol !== 'rehearsal') {
    scenario.provider.script(...rounds.map((round) => calls(...round)), text('All done.'));
  }
  const lines = rounds.map((round) =>
    round.map((call) => `CALL ${call.name} ${call.arguments ?? ''}`).join('\n'),
  );
  const words = protocol === 'rehearsal' ? lines.join('\nTHEN\n') || 'Hello' : 'Go.';
  return images ? [{ type: 'text', text: words }, await uploadedImage()] : words;
}

async function uploadedImage(): Promise<Json> {
  const form = new FormData();
  form.append('file', new Blob([Buffer.from(PIXEL, 'base64')], { type: 'image/png' }), 'dot.png');
  const response = await fetch(`${scenario.admin.url}/api/netaclaw/files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${scenario.admin.token}` },
    body: form,
  });
  const { data }: Json = await response.json();
  return { type: 'image', fileId: data.fileId };
}

const count = <T>(items: readonly T[], item: T): number =>
  items.filter((other) => other === item).length;

/** One terminal event, the last; no gap in the numbers; one result per call. */
function expectWhole(events: readonly StreamedEvent[]): void {
  expect(events.map(({ data }) => data.seq)).toEqual(events.map((_, index) => index + 1));
  expect(events.filter(({ event }) => event === 'run-end')).toHaveLength(1);
  expect(events.at(-1)?.event).toBe('run-end');
  const idsOf = (type: string) =>
    events.filter(({ event }) => event === type).map(({ data }) => data.id);
  expect(idsOf('tool-result').toSorted()).toEqual(idsOf('tool-call').toSorted());
  expect(new Set(idsOf('tool-call')).size).toBe(idsOf('tool-call').length);
}

/** Every call of the session has one result, and the session takes another turn. */
async function expectUsable(agent: Json, sessionId: string): Promise<void> {
  const { data } = await scenario.admin.get(
    `/api/netaclaw/sessions/${sessionId}/messages?size=200`,
  );
  const messages: Json[] = data.list.map(({ message }: Json) => message);
  const asked = messages.flatMap(({ toolCalls = [] }) => toolCalls.map(({ id }: Json) => id));
  const answered = messages.flatMap(({ toolCallId }) => (toolCallId ? [toolCallId] : []));
  for (const id of asked) expect(count(answered, id)).toBeGreaterThanOrEqual(1);
  expect(answered).toHaveLength(asked.length);
  const next = await chat(scenario.admin, { agent: agent.name, sessionId, message: 'And now?' });
  expect(next.status).toBe('completed');
}

const echo = (words: string): ScriptedCall => ({
  name: 'echo',
  arguments: JSON.stringify({ text: words }),
});

const plays: Record<string, Play & { results: string[] }> = {
  'plain words': { rounds: [], results: [] },
  'one call': { rounds: [[echo('a')]], results: ['ok'] },
  'three calls in parallel': {
    rounds: [[echo('a'), echo('b'), echo('c')]],
    results: ['ok', 'ok', 'ok'],
  },
  'a call, then two in parallel': {
    rounds: [[echo('a')], [echo('b'), echo('c')]],
    results: ['ok', 'ok', 'ok'],
  },
  'arguments that do not parse': {
    rounds: [[{ name: 'echo', arguments: '{"text": "a' }]],
    results: ['error'],
  },
  'a tool that is not there': {
    rounds: [[{ name: 'rm_rf', arguments: '{}' }]],
    results: ['refused'],
  },
  'empty arguments': { rounds: [[{ name: 'echo', arguments: '' }]], results: ['ok'] },
  'an image': { rounds: [[echo('a')]], images: true, results: ['ok'] },
};

describe.each([...wireProtocols, 'rehearsal'] as const)('%s', (protocol) => {
  it.each(Object.entries(plays))('%s', async (_name, play) => {
    const agent = agents[protocol];
    const message = await prepare(protocol, play);
    const events = await streamChat(scenario.admin, { agent: agent?.name, message });
    expectWhole(events);
    expect(events.at(-1)?.data.status).toBe('completed');
    const results = events.filter(({ event }) => event === 'tool-result');
    expect(results.map(({ data }) => data.status)).toEqual(play.results);
    await expectUsable(agent ?? {}, events[0]?.data.sessionId);
  });

  it('200 messages of history', async () => {
    const agent = agents[protocol] ?? {};
    let sessionId: string | undefined;
    for (let turn = 0; turn < 50; turn += 1) {
      const message = await prepare(protocol, { rounds: [[echo(`${turn}`)]] });
      ({ sessionId } = await chat(scenario.admin, { agent: agent.name, sessionId, message }));
    }
    const message = await prepare(protocol, { rounds: [[echo('last')]] });
    const events = await streamChat(scenario.admin, { agent: agent.name, sessionId, message });
    expectWhole(events);
    expect(events.at(-1)?.data.status).toBe('completed');
    const next = await chat(scenario.admin, { agent: agent.name, sessionId });
    expect(next.status).toBe('completed');
  });

  it('cancelled in the middle', async () => {
    const agent = agents[protocol] ?? {};
    if (protocol !== 'rehearsal') {
      scenario.provider.script(text('so many words that never come to an end', { delayMs: 300 }));
    }
    const stream = await openChat(scenario.admin, {
      agent: agent.name,
      message: protocol === 'rehearsal' ? 'CALL endless' : 'Go.',
    });
    await stream.until(protocol === 'rehearsal' ? 'tool-call' : 'text-delta');
    const { runId, sessionId } = stream.events[0]?.data ?? {};
    await scenario.admin.ask(`/api/netaclaw/runs/${runId}/cancel`, {});
    await stream.ended;
    expectWhole(stream.events);
    expect(stream.events.at(-1)?.data.status).toBe('cancelled');
    await expectUsable(agent, sessionId);
  });
});

describe('one session in all protocols in turn', () => {
  it('has only requests that their protocols take', async () => {
    const agent = await makeAgent(scenario, { toolsets: ['document'] });
    let { version } = agent;
    let sessionId: string | undefined;
    const order = [...wireProtocols, ...wireProtocols.toReversed(), 'openai_responses'] as const;
    for (const protocol of order) {
      const { channelId } = agents[protocol] ?? {};
      const moved = { id: agent.id, version, channelId };
      ({ version } = await scenario.admin.ask('/admin/netaclaw/agent/update', moved));
      const message = await prepare(protocol, {
        rounds: [[echo('a'), { ...echo('b'), id: `weird id:${protocol}/§` }], [echo('c')]],
        images: true,
      });
      const turn = await chat(scenario.admin, { agent: agent.name, sessionId, message });
      expect(turn).toMatchObject({ status: 'completed', reply: 'All done.' });
      ({ sessionId } = turn);
    }
  });
});

it('no request of all these would be refused by its protocol', () => {
  const { requests } = scenario.provider;
  expect(requests.length).toBeGreaterThan(300);
  for (const protocol of ['/chat/completions', '/responses', '/messages']) {
    expect(requests.filter(({ path }) => path.endsWith(protocol)).length).toBeGreaterThan(50);
  }
  expect(requests.flatMap((request) => problemsOf(request))).toEqual([]);
});
