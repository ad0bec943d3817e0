import type { Message } from '@netaclaw/contracts';
import { expect, it } from 'vitest';
import { atMostTokens, ESTIMATE, tokenMeter } from './tokens.js';

const tokensWithout = (message: Message) =>
  ESTIMATE.ofMessage(message) - ESTIMATE.ofMessage({ role: 'user', content: '' });

it.each<[string, Message, number]>([
  ['a user', { role: 'user', content: '漢'.repeat(40) }, 40],
  ['a system message', { role: 'system', content: '漢'.repeat(40) }, 40],
  [
    'an assistant, calls included',
    {
      role: 'assistant',
      content: '漢'.repeat(20),
      toolCalls: [{ id: 'not counted', name: '漢'.repeat(8), arguments: '漢'.repeat(12) }],
    },
    40,
  ],
  [
    'a tool result',
    { role: 'tool', toolCallId: 'a', name: 'b', content: '漢'.repeat(40), status: 'ok' },
    40,
  ],
  [
    'parts, an image as a thousand',
    {
      role: 'user',
      content: [
        { type: 'text', text: '漢'.repeat(40) },
        { type: 'image', url: 'https://example.com/a.png' },
      ],
    },
    1040,
  ],
])('counts the text of %s', (_who, message, tokens) => {
  expect(tokensWithout(message)).toBe(tokens);
});

it('counts a message with nothing in it too', () => {
  expect(ESTIMATE.ofMessage({ role: 'user', content: '' })).toBeGreaterThan(0);
});

it('counts a message object once: a changed message must be a new object', () => {
  const message: Message = { role: 'user', content: 'abcd' };
  const before = ESTIMATE.ofMessage(message);
  message.content = 'x'.repeat(4000);
  expect(ESTIMATE.ofMessage(message)).toBe(before);
  expect(ESTIMATE.ofMessage({ ...message })).toBeGreaterThan(before);
});

it('counts a tool: its name, what it says of itself, and its parameters', () => {
  const meter = tokenMeter((text) => text.length);
  const tool = { name: 'ab', description: 'cde', parameters: { type: 'object' } };
  const bare = { name: '', description: '', parameters: {} };
  expect(meter.ofTool(tool) - meter.ofTool(bare)).toBe(5 + '"type":"object"'.length);
});

it.each<Message>([
  { role: 'user', content: '漢'.repeat(10) },
  { role: 'user', content: '🦞'.repeat(10) },
  { role: 'user', content: [{ type: 'image', url: 'https://example.com/a.png' }] },
  {
    role: 'assistant',
    content: 'a',
    toolCalls: [{ id: '1', name: 'x', arguments: '{"q":"é"}' }],
  },
])('no tokenizer finds more than the bound says: %j', (message) => {
  const bytes = tokenMeter((text) => Buffer.byteLength(text));
  expect(atMostTokens(message)).toBeGreaterThanOrEqual(bytes.ofMessage(message));
});
