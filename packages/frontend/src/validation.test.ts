import {
  agentAddBodySchema,
  apiKeyAddBodySchema,
  channelAddBodySchema,
  crewAddBodySchema,
  passwordBodySchema,
  toolUpdateBodySchema,
  userAddBodySchema,
} from '@netaclaw/contracts';
import { beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { useLocale } from './i18n/index.js';
import { validate } from './validation.js';

/** Values that are wrong in every place where a form's schema has something to say. */
const wrong: [string, z.ZodType, unknown][] = [
  ['an agent', agentAddBodySchema, { name: 'No Good', label: 7, toolsets: 'x', runtime: 'moon' }],
  [
    'a channel',
    channelAddBodySchema,
    {
      name: '',
      protocol: 'openai_chat',
      model: 'x'.repeat(999),
      baseUrl: 'nowhere',
      apiKey: 'with space',
      headers: { 'not a name': 'ok', authorization: 'x', fine: 'ü' },
      timeoutMs: -1,
    },
  ],
  [
    'many headers',
    channelAddBodySchema,
    { headers: Object.fromEntries(Array.from({ length: 31 }, (_, at) => [`x-${at}`, 'v'])) },
  ],
  ['a crew', crewAddBodySchema, { name: 'a--b', masterAgentId: 0, members: [] }],
  ['a member', crewAddBodySchema, { name: 'a', members: [{ agentId: 1, alias: 'A B' }] }],
  [
    'a tool',
    toolUpdateBodySchema,
    { id: 1, version: 1, label: '', sort: 0.5, extra: { link: 'x' } },
  ],
  ['a key', apiKeyAddBodySchema, { name: '', rateLimit: 0, expiresAt: 'soon', colour: 'red' }],
  ['a user', userAddBodySchema, { username: '-', password: 'short', role: 'king' }],
  ['a password', passwordBodySchema, { password: '', newPassword: 'short' }],
];
const messagesOf = (schema: z.ZodType, value: unknown): string[] =>
  validate(schema, value).problems.map(({ message }) => message);

describe('what is wrong with a form', () => {
  beforeAll(() => useLocale('zh'));

  it.each(wrong)('is said of %s in Chinese', (_what, schema, value) => {
    const messages = messagesOf(schema, value);
    expect(messages).not.toEqual([]);
    expect(messages.filter((message) => !/[\u4e00-\u9fff]/.test(message))).toEqual([]);
  });

  it('is said in English again', async () => {
    await useLocale('en');
    const messages = wrong.flatMap(([, schema, value]) => messagesOf(schema, value));
    expect(messages.filter((message) => /[\u4e00-\u9fff]/.test(message))).toEqual([]);
  });
});
