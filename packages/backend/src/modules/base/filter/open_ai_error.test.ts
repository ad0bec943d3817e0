import { failures, type FailureKind } from '@netaclaw/contracts';
import { describe, expect, it } from 'vitest';
import { DomainError, invalid } from '../error.js';
import { OpenAiError, openAiFailureAnswer, openAiParam } from './open_ai_error.js';

const codes: Record<FailureKind, [string, string | null]> = {
  validation: ['invalid_request_error', null],
  unauthorized: ['invalid_request_error', 'invalid_api_key'],
  forbidden: ['permission_error', 'permission_denied'],
  notFound: ['invalid_request_error', 'not_found'],
  conflict: ['invalid_request_error', 'conflict'],
  tooLarge: ['invalid_request_error', 'request_too_large'],
  rateLimited: ['rate_limit_error', 'rate_limit_exceeded'],
  internal: ['server_error', 'internal_error'],
  notReady: ['server_error', 'not_ready'],
};
const kinds: FailureKind[] = [
  'validation',
  'unauthorized',
  'forbidden',
  'notFound',
  'conflict',
  'tooLarge',
  'rateLimited',
  'internal',
  'notReady',
];

describe('a failure in the form of the OpenAI API', () => {
  it.each(kinds)('of the kind %s has its status, type and code', (kind) => {
    const { status, body } = openAiFailureAnswer(new DomainError(kind, 'It was so.'));
    const [type, code] = codes[kind];
    expect(status).toBe(failures[kind].status);
    expect(body).toEqual({ error: { message: 'It was so.', type, param: null, code } });
  });

  it('names the first wrong place', () => {
    const error = invalid([
      { path: 'messages.2.content.0', message: 'no' },
      { path: 'n', message: 'no' },
    ]);
    expect(openAiFailureAnswer(error).body.error.param).toBe('messages[2].content[0]');
    expect(openAiParam('a.b.10')).toBe('a.b[10]');
  });

  it('says when to come back', () => {
    const error = new DomainError('rateLimited', 'too many', { retryAfter: 7 });
    expect(openAiFailureAnswer(error).retryAfter).toBe(7);
  });

  it('tells nothing of the inside', () => {
    const { status, body } = openAiFailureAnswer(new Error('SQLITE_BUSY at /srv'));
    expect([status, body.error.type]).toEqual([500, 'server_error']);
    expect(JSON.stringify(body)).not.toContain('SQLITE');
  });

  it('takes code, param and headers from an error that has them', () => {
    const words = { code: 'c', param: 'p', headers: { 'x-a': 'b' } };
    expect(openAiFailureAnswer(new OpenAiError('notFound', 'gone', words))).toEqual({
      status: 404,
      body: { error: { message: 'gone', type: 'invalid_request_error', param: 'p', code: 'c' } },
      headers: { 'x-a': 'b' },
    });
  });
});
