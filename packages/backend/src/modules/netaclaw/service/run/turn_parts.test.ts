import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeLocalComputer } from '../../../../../test/local_computer.js';
import { scriptedModel } from '../../../../../test/scripted_model.js';
import { contextTokensOf, spillTo } from './turn_parts.js';

describe('contextTokensOf', () => {
  const channel = {
    name: 'main',
    model: scriptedModel(),
    capability: { value: 'text', origin: 'channel' },
  } as const;

  it.each([
    { contextWindow: null, maxOutputTokens: null, tokens: null },
    { contextWindow: null, maxOutputTokens: 1000, tokens: null },
    { contextWindow: 128_000, maxOutputTokens: null, tokens: 119_808 },
    { contextWindow: 128_000, maxOutputTokens: 16_000, tokens: 107_904 },
    { contextWindow: 4096, maxOutputTokens: null, tokens: 512 },
  ])('of a window of $contextWindow, answers up to $maxOutputTokens: $tokens', (row) => {
    expect(contextTokensOf({ ...channel, ...row })).toBe(row.tokens);
  });
});

it('leaves room for what a caller adds to the prompt', () => {
  const channel = {
    name: 'main',
    model: scriptedModel(),
    capability: { value: 'text', origin: 'channel' },
    contextWindow: 128_000,
    maxOutputTokens: null,
  } as const;
  const executionContext = 'x'.repeat(4_000);
  expect(contextTokensOf(channel, { executionContext })).toBe(119_808 - 1_000);
});

describe('spillTo', () => {
  let local: Awaited<ReturnType<typeof makeLocalComputer>>;
  beforeEach(async () => {
    local = await makeLocalComputer();
  });
  afterEach(() => local.dispose());

  const { signal } = new AbortController();
  const call = (id: string) => ({ id, name: 'echo', arguments: '{}' });

  it('lays the text where the computer reads it', async () => {
    const spill = spillTo(async () => local.computer, signal);
    const path = await spill(call('call_1'), 'all of it');
    expect(path).toMatch(/^tool-results\/call_1-.+\.txt$/);
    expect(await local.computer.files.readText(path ?? '')).toBe('all of it');
  });

  it('keeps the text of an earlier call with the same id', async () => {
    const spill = spillTo(async () => local.computer, signal);
    const first = await spill(call('call_0'), 'first');
    const second = await spill(call('call_0'), 'second');
    expect(await local.computer.files.readText(first ?? '')).toBe('first');
    expect(await local.computer.files.readText(second ?? '')).toBe('second');
  });

  it.each(['../../etc/passwd', 'a/b\\c', `${'x'.repeat(5000)}`, ''])(
    'stays in its folder for the id %j',
    async (id) => {
      const path = await spillTo(async () => local.computer, signal)(call(id), 'text');
      expect(path).toMatch(/^tool-results\/[A-Za-z0-9_-]{1,100}\.txt$/);
      expect(await local.computer.files.readText(path ?? '')).toBe('text');
    },
  );

  it('has nowhere to lay it without a computer', async () => {
    expect(await spillTo(null, signal)(call('a'), 'text')).toBeNull();
  });
});
