import { describe, expect, it } from 'vitest';
import { ESTIMATE } from '../runtime/tokens.js';
import { encodingOf, loadTokenizer, tokenMeterFor } from './tokenizer.js';

describe('encodingOf', () => {
  it.each([
    ['gpt-4o-mini', 'o200k_base'],
    ['openai/gpt-4.1', 'o200k_base'],
    ['GPT-5-nano', 'o200k_base'],
    ['o3', 'o200k_base'],
    ['o4-mini', 'o200k_base'],
    ['openai/gpt-oss-20b', 'o200k_base'],
    ['gpt-4-turbo', 'cl100k_base'],
    ['gpt-3.5-turbo', 'cl100k_base'],
    ['claude-sonnet-4-5', null],
    ['qwen3-32b', null],
    ['olmo', null],
  ])('%s: %s', (model, encoding) => {
    expect(encodingOf(model)).toBe(encoding);
  });
});

describe('loadTokenizer', () => {
  // Counts published with the tokenizers' own examples, or counted with tiktoken.
  it.each([
    ['o200k_base', 'hello world', 2],
    ['cl100k_base', 'hello world', 2],
    ['cl100k_base', 'tiktoken is great!', 6],
    ['o200k_base', '', 0],
  ] as const)('%s counts %j as %i', async (encoding, text, count) => {
    const countTokens = await loadTokenizer(encoding);
    expect(countTokens(text)).toBe(count);
  });

  it('a text that spells a control token is text', async () => {
    const countTokens = await loadTokenizer('o200k_base');
    expect(countTokens('<|endoftext|>')).toBeGreaterThan(1);
  });

  it('a long word is counted piece by piece, nearly right and never too few', async () => {
    const countTokens = await loadTokenizer('o200k_base');
    const long = '中文测试'.repeat(2_000);
    expect(countTokens(long)).toBeGreaterThanOrEqual(4_000);
    expect(countTokens(long)).toBeLessThan(4_100);
  });
});

describe('tokenMeterFor', () => {
  it('estimates where the tokenizer is not public', async () => {
    expect(await tokenMeterFor('claude-sonnet-4-5')).toBe(ESTIMATE);
  });

  it('is one for all models of an encoding, so that what is counted stays known', async () => {
    expect(await tokenMeterFor('gpt-4o')).toBe(await tokenMeterFor('openai/o3'));
    expect(await tokenMeterFor('gpt-4o')).not.toBe(await tokenMeterFor('gpt-4'));
  });
});
