import { expect, it } from 'vitest';
import { errorText } from './provider_error.js';

it.each([
  ['OpenAI', '{"error":{"message":"Rate limit","type":"x"}}', 'Rate limit'],
  ['Ollama', '{"error":"model not found"}', 'model not found'],
  ['vLLM', '{"object":"error","message":"too long"}', 'too long'],
  ['FastAPI', '{"detail":"Not Found"}', 'Not Found'],
  ['an unknown object', '{"code":7}', '{"code":7}'],
  ['an error without a message', '{"error":{"code":7}}', '{"code":7}'],
  ['plain text', 'upstream\n  gone', 'upstream gone'],
  [
    'a page',
    '<html><style>p{}</style><title>502</title><script>x()</script><p>Bad <b>Gateway</b>',
    '502 Bad Gateway',
  ],
  ['nothing', '', ''],
])('finds the words of %s', (_who, body, words) => {
  expect(errorText(body)).toBe(words);
});
