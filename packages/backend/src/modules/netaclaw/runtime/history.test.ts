import type { AssistantMessage, Message, ToolMessage, UserMessage } from '@netaclaw/contracts';
import { describe, expect, it } from 'vitest';
import { budgetBeside, fitContext, repairHistory, tokensOf } from './history.js';
import { ESTIMATE as meter, tokenMeter } from './tokens.js';

const user = (content: string): UserMessage => ({ role: 'user', content });
const says = (content: string): AssistantMessage => ({ role: 'assistant', content });
const asks = (...ids: string[]): AssistantMessage => ({
  role: 'assistant',
  content: '',
  toolCalls: ids.map((id) => ({ id, name: 'echo', arguments: '{}' })),
});
const result = (toolCallId: string, content = `result of ${toolCallId}`): ToolMessage => ({
  role: 'tool',
  toolCallId,
  name: 'echo',
  content,
  status: 'ok',
});
const lost = (toolCallId: string) => ({
  role: 'tool',
  toolCallId,
  name: 'echo',
  status: 'cancelled',
  content: expect.stringContaining('interrupted'),
});
const system: Message = { role: 'system', content: 'Old prompt.' };

describe('repairHistory', () => {
  const rows: { claim: string; stored: Message[]; sent: unknown[] }[] = [
    {
      claim: 'leaves a good history as it is',
      stored: [user('a'), asks('1', '2'), result('1'), result('2'), says('b')],
      sent: [user('a'), asks('1', '2'), result('1'), result('2'), says('b')],
    },
    {
      claim: 'leaves system messages out',
      stored: [system, user('a'), system, says('b')],
      sent: [user('a'), says('b')],
    },
    {
      claim: 'finds results behind a system message',
      stored: [user('a'), asks('1'), system, result('1')],
      sent: [user('a'), asks('1'), result('1')],
    },
    {
      claim: 'drops a result without a call',
      stored: [result('0'), user('a'), result('1'), says('b'), result('2')],
      sent: [user('a'), says('b')],
    },
    {
      claim: 'drops a result of another call among the right ones',
      stored: [user('a'), asks('1'), result('9'), result('1')],
      sent: [user('a'), asks('1'), result('1')],
    },
    {
      claim: 'fills in a result that is missing at the end',
      stored: [user('a'), asks('1', '2'), result('2')],
      sent: [user('a'), asks('1', '2'), lost('1'), result('2')],
    },
    {
      claim: 'fills in all results when the next turn has already begun',
      stored: [user('a'), asks('1', '2'), user('b'), says('c')],
      sent: [user('a'), asks('1', '2'), lost('1'), lost('2'), user('b'), says('c')],
    },
    {
      claim: 'does not take a result that stands behind a later message',
      stored: [user('a'), asks('1'), user('b'), result('1')],
      sent: [user('a'), asks('1'), lost('1'), user('b')],
    },
    {
      claim: 'keeps the first of two results',
      stored: [user('a'), asks('1'), result('1', 'first'), result('1', 'second')],
      sent: [user('a'), asks('1'), result('1', 'first')],
    },
    {
      claim: 'puts results into call order',
      stored: [user('a'), asks('1', '2'), result('2'), result('1')],
      sent: [user('a'), asks('1', '2'), result('1'), result('2')],
    },
    {
      claim: 'gives each of two rounds with the same id its own result',
      stored: [user('a'), asks('1'), result('1', 'one'), asks('1'), result('1', 'two')],
      sent: [user('a'), asks('1'), result('1', 'one'), asks('1'), result('1', 'two')],
    },
    {
      claim: 'gives each of two calls of one answer with the same id its own result',
      stored: [user('a'), asks('1', '1'), result('1', 'one'), result('1', 'two')],
      sent: [user('a'), asks('1', '1'), result('1', 'one'), result('1', 'two')],
    },
    {
      claim: 'fills in the lost result of two calls with the same id',
      stored: [user('a'), asks('1', '1'), result('1', 'one')],
      sent: [user('a'), asks('1', '1'), result('1', 'one'), lost('1')],
    },
    { claim: 'takes nothing for nothing', stored: [], sent: [] },
  ];

  it.each(rows)('$claim', ({ stored, sent }) => {
    expect(repairHistory(stored)).toEqual(sent);
  });

  it('returns the same objects, so that what is kept for them stays good', () => {
    const stored = [user('a'), asks('1'), result('1')];
    expect(repairHistory(stored).every((message, at) => message === stored[at])).toBe(true);
  });

  it('changes nothing when it is done twice', () => {
    for (const { stored } of rows) {
      const once = repairHistory(stored);
      expect(repairHistory(once)).toEqual(once);
    }
  });
});

describe('fitContext', () => {
  const unlimited = { maxMessages: 1000, maxTokens: null, meter };
  const turn = [user('a'), asks('1'), result('1'), says('b')];
  const nextTurn = [user('c'), asks('2', '3'), result('2'), result('3'), asks('4'), result('4')];

  it('returns the same list when all of it fits', () => {
    const messages = [...turn, ...nextTurn];
    expect(fitContext(messages, unlimited)).toBe(messages);
    expect(fitContext(messages, { maxMessages: 10, maxTokens: null, meter })).toBe(messages);
  });

  it.each([
    [9, [user('a'), says('b'), ...nextTurn]],
    [8, [user('a'), says('b'), ...nextTurn]],
    [7, [...nextTurn]],
    [6, [...nextTurn]],
    [5, [user('c'), asks('4'), result('4')]],
    [3, [user('c'), asks('4'), result('4')]],
    [1, [user('c'), asks('4'), result('4')]],
  ])('keeps of ten messages, with room for %i, the newest that fit', (maxMessages, kept) => {
    const messages = [...turn, ...nextTurn];
    expect(fitContext(messages, { maxMessages, maxTokens: null, meter })).toEqual(kept);
  });

  it('uses the whole room when the cut falls before a user message', () => {
    const messages = [user('a'), says('b'), user('c'), says('d')];
    expect(fitContext(messages, { maxMessages: 2, maxTokens: null, meter })).toEqual(
      messages.slice(2),
    );
    expect(fitContext(messages, { maxMessages: 3, maxTokens: null, meter })).toEqual(
      messages.slice(2),
    );
  });

  const long = (length: number) => '漢'.repeat(length);

  it('holds the token budget, the user message in front included', () => {
    const rounds = Array.from({ length: 10 }, (_, n) => [asks(`${n}`), result(`${n}`, long(100))]);
    const messages = [user(long(500)), ...rounds.flat()];
    const kept = fitContext(messages, { maxMessages: 1000, maxTokens: 1000, meter });
    expect(tokensOf(kept, meter)).toBeLessThanOrEqual(1000);
    expect(kept[0]).toBe(messages[0]);
    expect(kept).toHaveLength(1 + 2 * 4);
  });

  it('keeps a user message however large it is', () => {
    const alone = [...turn, user(long(5000))];
    expect(fitContext(alone, { maxMessages: 1000, maxTokens: 100, meter })).toEqual([alone[4]]);
  });

  it('shortens the long results of the newest group until they fit, and says so', () => {
    const messages = [user('c'), asks('1', '2'), result('1', long(5000)), result('2', 'short')];
    const budget = { maxMessages: 1000, maxTokens: 1000, meter };
    const kept = fitContext(messages, budget);
    expect(tokensOf(kept, meter)).toBeLessThanOrEqual(1000);
    expect(kept).toEqual([
      user('c'),
      asks('1', '2'),
      result('1', expect.stringContaining('shortened from 15000 bytes to fit the context')),
      result('2', 'short'),
    ]);
    expect(fitContext(messages, budget)[2]).toBe(kept[2]);
  });

  it('never splits a call from its results and always begins with a user message', () => {
    const messages = [...turn, ...nextTurn, says('d'), user('e'), asks('5', '6', '7')];
    messages.push(result('5'), result('6'), result('7'));
    for (let maxMessages = 0; maxMessages <= messages.length; maxMessages += 1) {
      for (const maxTokens of [null, 0, 20, 40, 60, 80, 120, 1000]) {
        const kept = fitContext(messages, { maxMessages, maxTokens, meter });
        expect(kept[0]?.role).toBe('user');
        expect(repairHistory(kept)).toEqual(kept);
        expect(kept.at(-1)).toBe(messages.at(-1));
      }
    }
  });

  it('takes nothing for nothing', () => {
    expect(fitContext([], { maxMessages: 0, maxTokens: 0, meter })).toEqual([]);
  });
});

describe('budgetBeside', () => {
  const letters = tokenMeter((text) => text.length);
  const system: Message = { role: 'system', content: 'x'.repeat(96) };
  const tool = { name: 'ab', description: '', parameters: {} };

  it('takes off what is always sent', () => {
    const budget = { maxMessages: 10, maxTokens: 1000, meter: letters };
    const { maxTokens, maxMessages } = budgetBeside(budget, [system], [tool, { ...tool }]);
    expect([maxTokens, maxMessages]).toEqual([1000 - 100 - 2 * 8, 10]);
  });

  it('is never less than nothing', () => {
    const budget = { maxMessages: 10, maxTokens: 50, meter: letters };
    expect(budgetBeside(budget, [system], []).maxTokens).toBe(0);
  });

  it('counts nothing where no limit is known', () => {
    const budget = {
      maxMessages: 10,
      maxTokens: null,
      meter: tokenMeter(() => {
        throw new Error('counted');
      }),
    };
    expect(budgetBeside(budget, [system], [tool])).toBe(budget);
  });
});
