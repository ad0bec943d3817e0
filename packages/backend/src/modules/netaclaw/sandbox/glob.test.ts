import { expect, it } from 'vitest';
import { globMatcher } from './glob.js';

it.each([
  ['*.ts', 'a.ts', true],
  ['*.ts', 'deep/down/a.ts', true],
  ['*.ts', 'a.tsx', false],
  ['?.ts', 'ab.ts', false],
  ['src/*.ts', 'src/a.ts', true],
  ['src/*.ts', 'src/deep/a.ts', false],
  ['src/**', 'src/deep/a.ts', true],
  ['src/**/*.ts', 'src/a.ts', true],
  ['src/**/*.ts', 'src/x/y/a.ts', true],
  ['**/test/*.ts', 'a/test/b.ts', true],
  ['./src/*.ts', 'src/a.ts', true],
  ['*.{js,ts}', 'a.ts', true],
  ['{a,b}/{c,d}.txt', 'b/c.txt', true],
  ['{a,b}/{c,d}.txt', 'c/c.txt', false],
  ['*.{js', 'a.{js', true],
  ['a.b', 'axb', false],
  ['[ab]', 'a', false],
])('%s with %s: %s', (glob, path, expected) => {
  expect(globMatcher(glob)(path)).toBe(expected);
});

it('stays quick on a glob made to be slow', () => {
  const started = performance.now();
  globMatcher(`${'*a'.repeat(100)}b`)('a'.repeat(255));
  globMatcher('{a,b}'.repeat(60))('a'.repeat(60));
  expect(performance.now() - started).toBeLessThan(1000);
});
