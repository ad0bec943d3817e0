import type { Role } from '@netaclaw/contracts';
import { describe, expect, it } from 'vitest';
import type { Actor } from '../../../base/auth/actor.js';
import { channelProblems, fallbackCircle, refuseSecrets } from './channel_rules.js';

const actor = (role: Role): Actor => ({
  kind: 'user',
  id: 1,
  name: 'anna',
  role,
  familyId: 'f',
  ip: null,
});

describe('channelProblems', () => {
  it.each([
    ['openai_chat', 'https://api.example.com/v1', []],
    ['openai_chat', null, ['baseUrl']],
    ['openai_chat', undefined, ['baseUrl']],
    ['openai_responses', 'https://api.example.com/v1', []],
    ['openai_responses', null, ['baseUrl']],
    ['rehearsal', null, []],
    ['rehearsal', 'https://api.example.com/v1', []],
  ] as const)('of the protocol %s with the address %s: %j', (protocol, baseUrl, paths) => {
    const fields = { protocol, ...(baseUrl === undefined ? {} : { baseUrl }) };
    expect(channelProblems(fields).map(({ path }) => path)).toEqual(paths);
  });
});

describe('fallbackCircle', () => {
  const links = (...ids: (number | null)[]) =>
    ids.map((fallbackChannelId, index) => ({
      id: index + 1,
      name: `c${index + 1}`,
      fallbackChannelId,
    }));

  it.each([
    ['no fallback', { to: null, others: links(null), circle: null }],
    ['a fallback that ends', { to: 2, others: links(null, null), circle: null }],
    ['two that end', { to: 2, others: links(null, 3, null), circle: null }],
    ['one that falls back to it', { to: 2, others: links(null, 1), circle: ['c1', 'c2', 'c1'] }],
    [
      'a longer way back',
      { to: 2, others: links(null, 3, 4, 1), circle: ['c1', 'c2', 'c3', 'c4', 'c1'] },
    ],
    ['a circle of others', { to: 2, others: links(null, 3, 2), circle: null }],
    ['one that is gone', { to: 2, others: links(null, 9), circle: null }],
    ['a circle that this change opens', { to: null, others: links(2, 1), circle: null }],
  ])('%s', (_claim, { to, others, circle }) => {
    const channel = { id: 1, name: 'c1', fallbackChannelId: to };
    expect(fallbackCircle(channel, others)).toEqual(circle);
  });
});

describe('refuseSecrets', () => {
  type Body = Parameters<typeof refuseSecrets>[1];
  type Before = Parameters<typeof refuseSecrets>[2];
  const here = 'https://here.example.com/v1';
  const there = 'https://there.example.com/v1';
  const plain = { apiKey: null, headers: null, baseUrl: here };
  const keyed = { ...plain, apiKey: 'sealed' };
  const headed = { ...plain, headers: 'sealed' };

  const rows: { claim: string; body: Body; before: Before; refused: RegExp | null }[] = [
    { claim: 'a new channel', body: { baseUrl: here }, before: null, refused: null },
    { claim: 'a new channel with a key', body: { apiKey: 'k' }, before: null, refused: /the key/ },
    {
      claim: 'a new channel with headers',
      body: { headers: { 'x-key': 'k' } },
      before: null,
      refused: /the headers/,
    },
    { claim: 'a new key', body: { apiKey: 'k' }, before: keyed, refused: /the key/ },
    { claim: 'a new header', body: { headers: { a: 'b' } }, before: plain, refused: /headers/ },
    { claim: 'a new channel with an empty key', body: { apiKey: '' }, before: null, refused: null },
    { claim: 'no key any more', body: { apiKey: '' }, before: keyed, refused: /clear the key/ },
    { claim: 'no headers any more', body: { headers: {} }, before: headed, refused: /clear/ },
    { claim: 'no key where none is', body: { apiKey: '' }, before: headed, refused: null },
    { claim: 'no headers where none are', body: { headers: {} }, before: keyed, refused: null },
    { claim: 'another address', body: { baseUrl: there }, before: plain, refused: null },
    {
      claim: 'another address for a key',
      body: { baseUrl: there },
      before: keyed,
      refused: /the address/,
    },
    {
      claim: 'another address for headers',
      body: { baseUrl: there },
      before: headed,
      refused: /the address/,
    },
    {
      claim: 'no address for a key',
      body: { baseUrl: null },
      before: keyed,
      refused: /the address/,
    },
    {
      claim: 'another address and no key any more, in one',
      body: { baseUrl: there, apiKey: '' },
      before: keyed,
      refused: /clear the key/,
    },
    { claim: 'the same address', body: { baseUrl: here }, before: keyed, refused: null },
    { claim: 'nothing of this', body: {}, before: keyed, refused: null },
  ];

  const allowed = rows.filter(({ refused }) => refused === null);
  const forbidden = rows.flatMap(({ refused, ...row }) => (refused ? [{ ...row, refused }] : []));

  it.each(allowed)('an operator may set $claim', ({ body, before }) => {
    expect(() => refuseSecrets(actor('operator'), body, before)).not.toThrow();
  });

  it.each(forbidden)('an operator may not set $claim', ({ body, before, refused }) => {
    expect(() => refuseSecrets(actor('operator'), body, before)).toThrow(refused);
  });

  it.each(rows)('an admin may set $claim', ({ body, before }) => {
    expect(() => refuseSecrets(actor('admin'), body, before)).not.toThrow();
  });

  it('is a refusal of rights', () => {
    expect(() => refuseSecrets(actor('operator'), { apiKey: 'k' }, null)).toThrow(
      expect.objectContaining({ kind: 'forbidden' }),
    );
  });
});
