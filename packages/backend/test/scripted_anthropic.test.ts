import Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { calls, failure, text, thoughts } from './scripted_anthropic.js';
import { startScriptedProvider, type ScriptedProvider } from './scripted_provider.js';

/** The official client judges the scripted replies: what it does not understand proves nothing. */
let provider: ScriptedProvider;
let client: Anthropic;

beforeAll(async () => {
  provider = await startScriptedProvider();
  client = new Anthropic({ apiKey: 'x', baseURL: `http://${provider.host}`, maxRetries: 0 });
});
afterAll(() => provider?.close());

const request: Anthropic.MessageCreateParamsNonStreaming = {
  model: 'scripted',
  max_tokens: 10,
  messages: [{ role: 'user', content: 'Hello' }],
};
const streamed = () => client.messages.stream(request).finalMessage();
const whole = () => client.messages.create(request);

it.each([
  ['streamed', streamed],
  ['whole', whole],
])('scripted replies are read by the official client: %s', async (_how, ask) => {
  const call = { name: 'list_dir', arguments: '{"path":"."}', id: 'toolu_1' };
  const used = { type: 'tool_use', id: 'toolu_1', name: 'list_dir', input: { path: '.' } };
  provider.script(text('one two'), calls(call), thoughts('Hm', call));
  expect(await ask()).toMatchObject({
    content: [{ type: 'text', text: 'one two' }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 10, output_tokens: 5 },
  });
  expect(await ask()).toMatchObject({ content: [used], stop_reason: 'tool_use' });
  expect(await ask()).toMatchObject({
    content: [{ type: 'thinking', thinking: 'Hm', signature: 'SG0=' }, used],
  });
});

it('scripted errors are read by the official client', async () => {
  provider.script(failure(529, 'Overloaded'));
  await expect(whole()).rejects.toMatchObject({
    status: 529,
    error: { error: { message: 'Overloaded' } },
  });
});
