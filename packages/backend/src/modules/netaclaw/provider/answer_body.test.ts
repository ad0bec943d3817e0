import { expect, it } from 'vitest';
import { secretMasker } from '../runtime/provider/mask_secrets.js';
import { refusedBody } from './answer_body.js';
import { shownSentence } from './provider_failure.js';

const key = 'VERYSECRETtoken0123456789abcdef';
const mask = secretMasker([key]);

it.each([90, 95, 99])('a secret that a cut at 100 goes through at %i is masked whole', (before) => {
  const shown: string[] = [];
  const body = refusedBody((text) => shown.push(mask(text).slice(0, 100)), 100);
  body.chunk(`${'x'.repeat(before)}${key}`);
  body.end();
  expect(shown.join('')).toMatch(/^x+\*+$/);
});

it('masks a sentence before it is shortened, however late the secret stands', () => {
  expect(shownSentence(`${' '.repeat(19_990)}${key}`, mask)).toBe('***');
});
