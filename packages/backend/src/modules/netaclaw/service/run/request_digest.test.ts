import type { ChatBody } from '@netaclaw/contracts';
import { expect, it } from 'vitest';
import { requestDigest } from './request_digest.js';

const body: ChatBody = { agent: 'solo', message: 'Hello', stream: false, denyTools: ['a', 'b'] };

it.each([
  ['itself', {}, true],
  ['the same as a stream', { stream: true }, true],
  ['the same names in another order', { denyTools: ['b', 'a'] }, true],
  ['another message', { message: 'Good bye' }, false],
  ['another agent', { agent: 'boss' }, false],
  ['a crew of that name', { agent: undefined, crew: 'solo' }, false],
  ['another session', { sessionId: 'abc' }, false],
  ['fewer tools', { denyTools: ['a', 'b', 'c'] }, false],
])('a request and %s: the same %o', (_claim, change, isSame) => {
  const [one, other] = [body, { ...body, ...change }].map((each) => requestDigest(each, undefined));
  expect(one === other).toBe(isSame);
});

it('goes by what the caller sent where the message was made of it', () => {
  const kept: ChatBody = { ...body, message: [{ type: 'image', fileId: 'made-anew' }] };
  expect(requestDigest(kept, ['sent'])).toBe(requestDigest(body, ['sent']));
  expect(requestDigest(body, ['sent'])).not.toBe(requestDigest(body, ['sent otherwise']));
});
