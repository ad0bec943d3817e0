import { expect, it } from 'vitest';
import type { StopReason } from './port.js';
import { verdictOf } from './open_ai/completion.js';
import { answerEnding } from './run_ending.js';

const endingOf = (stopReason: StopReason, content: string) =>
  answerEnding(
    {
      stopReason,
      message: { role: 'assistant', content },
      usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
    },
    { role: 'assistant', content },
  );

it('an answer ends the run; one cut off at the limit of output says so', () => {
  expect(endingOf('stop', 'Done.')).toEqual({ status: 'completed', error: null, reply: 'Done.' });
  expect(endingOf('length', 'Half a')).toEqual({
    status: 'completed',
    error: null,
    reply: 'Half a',
    truncated: true,
  });
});

it.each<[StopReason, RegExp]>([
  ['content_filter', /content filter/],
  ['length', /limit of output before it said anything/],
  ['stop', /neither text nor a tool call/],
])('no answer with the stop reason %s is a failure with its own sentence', (reason, sentence) => {
  expect(endingOf(reason, ' ')).toMatchObject({
    status: 'failed',
    error: expect.stringMatching(sentence),
  });
});

it.each([
  [{ status: 'completed' as const }, { finishReason: 'stop' }],
  [{ status: 'completed' as const, truncated: true as const }, { finishReason: 'length' }],
  [{ status: 'limit' as const }, { finishReason: 'length' }],
])('%j is told to clients of that API as %j', (answer, verdict) => {
  expect(verdictOf(answer)).toEqual(verdict);
});
