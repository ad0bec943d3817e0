import type { Message } from '@netaclaw/contracts';
import { describe, expect, it } from 'vitest';
import { summaryMessage, summaryRequest, turnsToSummarize, type StoredTurn } from './summary.js';
import { tokensOf } from './history.js';
import { tokenMeter } from './tokens.js';

const meter = tokenMeter((text) => text.length);
const unlimited = { maxTokens: null, meter };
const user = (content: string): Message => ({ role: 'user', content });
/** A turn of so many messages, each of 100 tokens. */
const turnOf = (runId: string, count: number): StoredTurn => ({
  runId,
  messages: Array.from({ length: count }, () => user('x'.repeat(96))),
});
const turns = (...counts: number[]) => counts.map((count, at) => turnOf(`r${at}`, count));

describe('turnsToSummarize', () => {
  it.each<{
    claim: string;
    sizes: number[];
    maxMessages: number;
    maxTokens: number | null;
    folded: number;
  }>([
    {
      claim: 'nothing while there is room',
      sizes: [2, 2, 2],
      maxMessages: 8,
      maxTokens: null,
      folded: 0,
    },
    {
      claim: 'down to half of the messages',
      sizes: [2, 2, 2, 2],
      maxMessages: 10,
      maxTokens: null,
      folded: 2,
    },
    {
      claim: 'down to half of the tokens',
      sizes: [2, 2, 2, 2],
      maxMessages: 99,
      maxTokens: 1000,
      folded: 2,
    },
    {
      claim: 'nothing while there is room for tokens',
      sizes: [2, 2, 2],
      maxMessages: 99,
      maxTokens: 800,
      folded: 0,
    },
    {
      claim: 'all but the newest, however large that is',
      sizes: [2, 2, 50],
      maxMessages: 10,
      maxTokens: null,
      folded: 2,
    },
    { claim: 'not the only one', sizes: [50], maxMessages: 10, maxTokens: null, folded: 0 },
    { claim: 'nothing of nothing', sizes: [], maxMessages: 10, maxTokens: 10, folded: 0 },
    {
      claim: 'whichever limit is nearer',
      sizes: [2, 2, 2, 2],
      maxMessages: 10,
      maxTokens: 300,
      folded: 3,
    },
  ])('$claim', ({ sizes, maxMessages, maxTokens, folded }) => {
    expect(turnsToSummarize(turns(...sizes), { maxMessages, maxTokens, meter })).toBe(folded);
  });

  it('what is left does not call for it again', () => {
    for (let size = 1; size < 30; size += 1) {
      const given = turns(...Array.from({ length: size }, () => 3));
      const budget = { maxMessages: 20, maxTokens: 1500, meter };
      const left = given.slice(turnsToSummarize(given, budget));
      expect(turnsToSummarize(left, budget)).toBe(0);
    }
  });
});

it('the request: instruction, earlier notes, who said, called and found what', () => {
  const turn: StoredTurn = {
    runId: 'r',
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look' },
          { type: 'file', fileId: 'f' },
        ],
      },
      {
        role: 'assistant',
        content: '',
        toolCalls: [{ id: '1', name: 'read_file', arguments: '{"path":"a"}' }],
      },
      { role: 'tool', toolCallId: '1', name: 'read_file', content: 'y'.repeat(5000), status: 'ok' },
      { role: 'assistant', content: 'Seen.' },
    ],
  };
  expect(
    summaryRequest({ previous: 'The user is called Wei.', turns: [turn] }, unlimited),
  ).toMatchSnapshot();
});

it('the summary as the agent is shown it', () => {
  expect(summaryMessage('The user is called Wei.')).toMatchSnapshot();
});

it.each([1500, 2000, 5000])(
  'a request for notes keeps to %i tokens: the oldest is left out',
  (maxTokens) => {
    const material = { previous: 'known', turns: turns(...Array.from({ length: 60 }, () => 1), 0) };
    const newest = { runId: 'z', messages: [user('newest')] };
    const request = summaryRequest(
      { ...material, turns: [...material.turns, newest] },
      { maxTokens, meter },
    );
    expect(tokensOf(request, meter)).toBeLessThanOrEqual(maxTokens);
    expect(request[1]?.content).toMatch(
      /^# Earlier notes\nknown[^]*The oldest part is left out[^]*newest$/,
    );
  },
);
