import type { AgentLimits } from '@netaclaw/contracts';
import { describe, expect, it } from 'vitest';
import { scriptedModel } from '../../../../../test/scripted_model.js';
import { ESTIMATE } from '../../runtime/tokens.js';
import { contextBudgetOf } from './context_budget.js';

describe('contextBudgetOf', () => {
  const channel = {
    name: 'main',
    model: scriptedModel(),
    meter: ESTIMATE,
    capability: { value: 'text', origin: 'channel' },
  } as const;

  it.each([
    { contextWindow: null, maxOutputTokens: null, tokens: null },
    { contextWindow: null, maxOutputTokens: 1000, tokens: null },
    { contextWindow: 128_000, maxOutputTokens: null, tokens: 123_904 },
    { contextWindow: 128_000, maxOutputTokens: 16_000, tokens: 112_000 },
    { contextWindow: 4096, maxOutputTokens: null, tokens: 3072 },
    { contextWindow: 4096, maxOutputTokens: 8000, tokens: 0 },
  ])('of a window of $contextWindow, answers up to $maxOutputTokens: $tokens', (row) => {
    const { maxTokens } = contextBudgetOf({ limits: {} }, { ...channel, ...row });
    expect(maxTokens).toBe(row.tokens);
  });

  it("takes the agent's number of messages", () => {
    const unknown = { ...channel, contextWindow: null, maxOutputTokens: null };
    const budgetOf = (limits: AgentLimits) => contextBudgetOf({ limits }, unknown).maxMessages;
    expect([budgetOf({}), budgetOf({ maxContextMessages: 12 })]).toEqual([200, 12]);
  });
});
