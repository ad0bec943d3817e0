import { describe, expect, it } from 'vitest';
import { menuOrder } from '../module.js';
import en from './en.json' with { type: 'json' };
import zh from './zh.json' with { type: 'json' };

const sources = import.meta.glob<string>('../**/*.{ts,vue}', {
  eager: true,
  query: '?raw',
  import: 'default',
});

/** Every key with its text, in dots. */
function flat(messages: object, prefix = ''): Map<string, string> {
  const entries = Object.entries(messages).flatMap(([key, value]) =>
    typeof value === 'string'
      ? [[`${prefix}${key}`, value] as const]
      : [...flat(value, `${prefix}${key}.`)],
  );
  return new Map(entries);
}

const english = flat(en);
const chinese = flat(zh);
const placeholders = (text = '') =>
  [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).toSorted();

describe('messages', () => {
  it('has the same keys in both languages', () => {
    expect([...chinese.keys()].toSorted()).toEqual([...english.keys()].toSorted());
  });

  it.each([...english])('%s takes the same values in both languages', (key, text) => {
    expect(placeholders(chinese.get(key))).toEqual(placeholders(text));
  });

  it('has every message that a source names', () => {
    const named = Object.entries(sources)
      .filter(([path]) => !path.endsWith('.test.ts'))
      .flatMap(([path, text]) =>
        [...text.matchAll(/\b(?:t|translate)\(\s*'([\w.]+)'/g)].map(([, key]) => ({ path, key })),
      );
    expect(named.filter(({ key }) => !english.has(String(key)))).toEqual([]);
  });

  it('names every entry of the menu', () => {
    expect(menuOrder.filter((key) => !english.has(`menu.${key}`))).toEqual([]);
  });
});
