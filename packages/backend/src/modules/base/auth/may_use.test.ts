import { admins, editors, everyone, type Access } from '@netaclaw/contracts';
import { expect, it } from 'vitest';
import type { Actor } from './actor.js';
import { mayUse } from './may_use.js';

const user = (role: 'admin' | 'operator' | 'viewer'): Actor => ({
  kind: 'user',
  id: 1,
  name: 'someone',
  role,
  familyId: 'family',
  ip: null,
});
const key: Actor = {
  kind: 'key',
  id: 1,
  name: 'a key',
  role: 'client',
  agents: null,
  rateLimit: null,
  ip: null,
};

const table: [string, Access, Actor, true | string][] = [
  ['anyone', 'open', key, true],
  ['viewer reads', { roles: everyone }, user('viewer'), true],
  [
    'viewer edits',
    { roles: editors },
    user('viewer'),
    'this needs the role admin or operator; yours is viewer',
  ],
  ['operator edits', { roles: editors }, user('operator'), true],
  [
    'operator administers',
    { roles: admins },
    user('operator'),
    'this needs the role admin; yours is operator',
  ],
  ['admin administers', { roles: admins }, user('admin'), true],
  ['key where keys may', { roles: editors, keys: true }, key, true],
  [
    'key elsewhere',
    { roles: everyone },
    key,
    'API keys may not do this; sign in with the role admin or operator or viewer',
  ],
];

it.each(table)('decides: %s', (...[, access, actor, verdict]) => {
  expect(mayUse(access, actor)).toBe(verdict);
});
