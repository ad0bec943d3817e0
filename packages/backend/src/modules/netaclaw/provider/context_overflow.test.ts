import { expect, it } from 'vitest';
import { ModelError } from '../runtime/port.js';
import { isContextOverflow } from './context_overflow.js';

it.each([
  [
    400,
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000.",
  ],
  [400, 'prompt is too long: 17119 tokens > 16384 maximum'],
  [400, 'input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000'],
  [413, 'Request exceeds the maximum size'],
  [400, 'Input is too long for requested model.'],
  [400, 'the request exceeds the available context size. try increasing it'],
  [400, 'The input token count (40000) exceeds the maximum number of tokens allowed (32768).'],
  [400, 'Range of input length should be [1, 30720]'],
  [400, "This model's maximum prompt length is 131072 but the request contains 140000 tokens."],
  [400, 'Please reduce the length of the messages or completion.'],
  [400, 'Your input exceeds the context window of this model.'],
  [null, 'context_length_exceeded'],
])('%s %s: too long', (status, message) => {
  expect(isContextOverflow(new ModelError(message, status))).toBe(true);
});

it.each([
  new ModelError('Could not process image', 400),
  new ModelError('max_tokens is too large: 9000', 400),
  new ModelError('Request too large for gpt-4o: limit 30000 tokens per minute', 429),
  new ModelError('maximum context length', 500),
  new ModelError('the connection broke'),
  new Error('prompt is too long'),
])('%s: something else', (error) => {
  expect(isContextOverflow(error)).toBe(false);
});
