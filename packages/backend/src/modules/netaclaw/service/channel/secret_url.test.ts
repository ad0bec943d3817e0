import { expect, it } from 'vitest';
import { maskedUrl, unmaskedUrl } from './secret_url.js';

it.each([
  ['https://a.example/v1', 'https://a.example/v1'],
  ['https://a.example/v1?api-version=2024-02', 'https://a.example/v1?api-version=2024-02'],
  ['https://a.example/v1?api-key=abc123', 'https://a.example/v1?api-key=********'],
  [
    'https://a.example/v1?region=eu&access_token=t%20k#x',
    'https://a.example/v1?region=eu&access_token=********#x',
  ],
  ['https://a.example/v1?key=', 'https://a.example/v1?key='],
])('%s is shown as %s, and given back it is the same', (stored, shown) => {
  expect(maskedUrl(stored)).toBe(shown);
  expect(unmaskedUrl(shown, stored)).toBe(stored);
});

it('what is given anew takes the place of what was stored', () => {
  const stored = 'https://a.example/v1?key=old';
  expect(unmaskedUrl('https://b.example/v2?key=********', stored)).toBe(
    'https://b.example/v2?key=old',
  );
  expect(unmaskedUrl('https://a.example/v1?key=new', stored)).toBe('https://a.example/v1?key=new');
});
