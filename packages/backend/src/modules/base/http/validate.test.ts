import { expect, it } from 'vitest';
import { z } from 'zod';
import { DomainError } from '../error.js';
import { validate } from './validate.js';

const part = z.strictObject({ text: z.string() });
const schema = z.strictObject({ content: z.union([z.string(), z.array(part).min(1)]) });

function problems(value: unknown): unknown {
  try {
    return validate(schema, value);
  } catch (error) {
    return error instanceof DomainError ? error.details : error;
  }
}

it.each([
  [
    'an item of the option that is meant',
    { content: [{ text: 'a' }, { text: 7 }] },
    'content.1.text',
  ],
  ['an unknown field in it', { content: [{ text: 'a', more: 1 }] }, 'content.0.more'],
  ['the whole when no option is meant', { content: 7 }, 'content'],
  ['the whole when it is broken at its root', { content: [] }, 'content'],
  ['an unknown field', { content: 'a', more: 1 }, 'more'],
])('names %s', (_what, value, path) => {
  expect(problems(value)).toMatchObject([{ path, message: expect.stringMatching(/\w{3}/) }]);
});

it('gives what it has parsed', () => {
  expect(problems({ content: 'a' })).toEqual({ content: 'a' });
});
