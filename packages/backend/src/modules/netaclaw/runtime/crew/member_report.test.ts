import { expect, it } from 'vitest';
import { memberReport, type MemberEnding } from './member_report.js';

const ending: MemberEnding = {
  member: 'writer',
  runId: 'r1',
  status: 'completed',
  error: null,
  reply: 'Bees hum.',
};

it.each<[Partial<MemberEnding>, 'ok' | 'error', RegExp]>([
  [{}, 'ok', /^\[writer, run r1\]\nBees hum\.$/],
  [{ status: 'limit' }, 'ok', /budget was spent before it was done.*\nBees hum\.$/],
  [{ status: 'limit', reply: ' ', error: 'No answer.' }, 'error', /No answer\..*not done/],
  [
    { status: 'failed', error: 'The model is away.', reply: '' },
    'error',
    /The model is away\. The task is not done\.$/,
  ],
  [
    { status: 'failed', error: 'It broke.' },
    'error',
    /It broke\. The task is not done\.\n\nWhat it had said by then:\nBees hum\.$/,
  ],
  [{ status: 'failed', reply: '' }, 'error', /without saying why/],
  [{ status: 'cancelled', reply: '' }, 'error', /cancelled\. The task is not done/],
])('a run that ended with %j is reported with the status %s', (fields, status, content) => {
  expect(memberReport({ ...ending, ...fields })).toEqual({
    status,
    content: expect.stringMatching(content),
  });
});
