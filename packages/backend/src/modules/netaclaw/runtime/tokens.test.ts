import type { Message } from '@netaclaw/contracts';
import { expect, it } from 'vitest';
import { estimateMessageTokens, estimateTokens } from './tokens.js';

it.each([
  ['', 0],
  ['abcd', 1],
  ['abcde', 2],
  ['x'.repeat(400), 100],
  ['漢字漢字', 4],
  ['한국어', 3],
  ['ひらがな', 4],
  ['abcd漢字', 3],
])('counts %j as about %i', (text, tokens) => {
  expect(estimateTokens(text)).toBe(tokens);
});

const tokensWithout = (message: Message) =>
  estimateMessageTokens(message) - estimateMessageTokens({ role: 'user', content: '' });

it.each<[string, Message, number]>([
  ['a user', { role: 'user', content: 'x'.repeat(40) }, 10],
  ['a system message', { role: 'system', content: 'x'.repeat(40) }, 10],
  [
    'an assistant, calls included',
    {
      role: 'assistant',
      content: 'x'.repeat(20),
      toolCalls: [{ id: 'not counted', name: 'x'.repeat(8), arguments: 'x'.repeat(12) }],
    },
    10,
  ],
  [
    'a tool result',
    { role: 'tool', toolCallId: 'a', name: 'b', content: 'x'.repeat(40), status: 'ok' },
    10,
  ],
  [
    'parts, an image as a thousand',
    {
      role: 'user',
      content: [
        { type: 'text', text: 'x'.repeat(40) },
        { type: 'image', url: 'https://example.com/a.png' },
      ],
    },
    1010,
  ],
])('counts the text of %s', (_who, message, tokens) => {
  expect(tokensWithout(message)).toBe(tokens);
});

it('counts a message with nothing in it too', () => {
  expect(estimateMessageTokens({ role: 'user', content: '' })).toBeGreaterThan(0);
});

it('counts a message object once: a changed message must be a new object', () => {
  const message: Message = { role: 'user', content: 'abcd' };
  const before = estimateMessageTokens(message);
  message.content = 'x'.repeat(4000);
  expect(estimateMessageTokens(message)).toBe(before);
  expect(estimateMessageTokens({ ...message })).toBeGreaterThan(before);
});
