import type { ChannelParams } from '@netaclaw/contracts';
import { describe, expect, it } from 'vitest';
import { problemsOfAnthropicRequest } from '../../../../../test/wire/anthropic_request.js';
import { anthropicParams } from './anthropic_params.js';

interface Given extends ChannelParams {
  maxOutputTokens?: number;
}

/** The fields as they go out; a test fails when they are not valid. */
function fieldsOf(model: string, { maxOutputTokens, ...params }: Given = {}) {
  const made = anthropicParams({ model, maxOutputTokens: maxOutputTokens ?? null, params });
  const [fields, withoutThinking] = [made.fields, made.withoutThinking].map((each) =>
    JSON.parse(JSON.stringify(each)),
  );
  const messages = [{ role: 'user', content: 'Hello' }];
  const problems = [fields, withoutThinking ?? fields].flatMap((each) =>
    problemsOfAnthropicRequest({ ...each, messages }),
  );
  expect(problems).toEqual([]);
  return { fields, withoutThinking };
}

const OLD = 'claude-sonnet-4-5-20250929';
const NEW = 'claude-opus-4-8';

describe('max_tokens', () => {
  it.each([
    { is: 'what the channel sets', model: OLD, given: { maxOutputTokens: 50 }, tokens: 50 },
    { is: 'room for an answer', model: OLD, given: {}, tokens: 8192 },
    { is: 'room for an answer and its thinking', model: NEW, given: {}, tokens: 16_384 },
    {
      is: 'the answer and the budget of thinking',
      model: OLD,
      given: { reasoningEffort: 'medium' },
      tokens: 16_384,
    },
  ] as const)('is $is', ({ model, given, tokens }) => {
    expect(fieldsOf(model, given).fields.max_tokens).toBe(tokens);
  });
});

describe('sampling parameters', () => {
  const cases: { rule: string; model?: string; given: Given; sent: object }[] = [
    { rule: 'temperature goes up to 1', given: { temperature: 1.7 }, sent: { temperature: 1 } },
    { rule: 'top_p goes alone', given: { topP: 0.5 }, sent: { top_p: 0.5 } },
    {
      rule: 'temperature wins over top_p',
      given: { temperature: 0, topP: 0.5 },
      sent: { temperature: 0 },
    },
    {
      rule: 'the newest take none',
      model: NEW,
      given: { temperature: 0.5, topP: 0.5 },
      sent: {},
    },
    {
      rule: 'others are not known',
      given: { seed: 1, frequencyPenalty: 1, presencePenalty: 1 },
      sent: {},
    },
  ];
  it.each(cases)('$rule', ({ model = OLD, given, sent }) => {
    const { model: _model, max_tokens: _tokens, ...rest } = fieldsOf(model, given).fields;
    expect(rest).toEqual(sent);
  });
});

describe('reasoning effort', () => {
  it.each([
    ['minimal', 1024],
    ['low', 4096],
    ['medium', 8192],
    ['high', 16_384],
  ] as const)('%s is a budget for models that have one', (reasoningEffort, budget_tokens) => {
    const { fields } = fieldsOf(OLD, { reasoningEffort });
    expect(fields.thinking).toEqual({ type: 'enabled', budget_tokens });
    expect(fields).not.toHaveProperty('output_config');
  });

  it.each([
    ['minimal', 'low'],
    ['low', 'low'],
    ['medium', 'medium'],
    ['high', 'high'],
  ] as const)('%s is an effort for newer models', (reasoningEffort, effort) => {
    const { fields, withoutThinking } = fieldsOf(NEW, { reasoningEffort });
    expect(fields.thinking).toEqual({ type: 'adaptive', display: 'summarized' });
    expect(fields.output_config).toEqual({ effort });
    expect(withoutThinking).toBeNull();
  });

  it('leaves room for the answer within the channel’s limit', () => {
    const given = { reasoningEffort: 'high', maxOutputTokens: 3000 } as const;
    expect(fieldsOf(OLD, given).fields).toMatchObject({
      max_tokens: 3000,
      thinking: { budget_tokens: 1976 },
    });
  });

  it('is left out where the limit is too small for any', () => {
    const { fields } = fieldsOf(OLD, { reasoningEffort: 'high', maxOutputTokens: 2000 });
    expect(fields).toEqual({ model: OLD, max_tokens: 2000 });
  });

  it('drops temperature and a low top_p, and keeps them where thinking cannot be asked for', () => {
    const warm = fieldsOf(OLD, { reasoningEffort: 'low', temperature: 0.5 });
    expect(warm.fields).not.toHaveProperty('temperature');
    expect(warm.withoutThinking).toEqual({ model: OLD, max_tokens: 8192, temperature: 0.5 });
    expect(fieldsOf(OLD, { reasoningEffort: 'low', topP: 0.5 }).fields).not.toHaveProperty('top_p');
    expect(fieldsOf(OLD, { reasoningEffort: 'low', topP: 0.95 }).fields.top_p).toBe(0.95);
  });
});

describe('the name of a model', () => {
  const seen = (model: string) => {
    const { fields } = fieldsOf(model, { reasoningEffort: 'low' });
    const sampling = fieldsOf(model, { temperature: 0.5 }).fields.temperature !== undefined;
    return [fields.thinking?.type ?? 'none', sampling];
  };

  it.each([
    ['claude-3-5-sonnet-20241022', 'none', true],
    ['claude-3-opus-20240229', 'none', true],
    ['claude-instant-1.2', 'none', true],
    ['claude-3-7-sonnet-latest', 'enabled', true],
    ['claude-opus-4-20250514', 'enabled', true],
    ['claude-sonnet-4@20250514', 'enabled', true],
    ['claude-opus-4-1-20250805', 'enabled', true],
    ['claude-haiku-4-5', 'enabled', true],
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'enabled', true],
    ['anthropic/claude-4.5-sonnet', 'enabled', true],
    ['claude-sonnet-4-6', 'adaptive', true],
    ['anthropic.claude-opus-4-6-v1', 'adaptive', true],
    ['claude-opus-4-7', 'adaptive', false],
    ['anthropic/claude-opus-4.8', 'adaptive', false],
    ['claude-opus-5', 'adaptive', false],
    ['claude-sonnet-5-5', 'adaptive', false],
    ['claude-mythos-preview', 'adaptive', false],
    ['glm-4.6', 'enabled', true],
    ['deepseek-chat', 'enabled', true],
  ])('%s says what it takes', (model, thinking, sampling) => {
    expect(seen(model)).toEqual([thinking, sampling]);
  });
});
