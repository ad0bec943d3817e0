import { userAddBodySchema } from '@netaclaw/contracts';
import { describe, expect, it } from 'vitest';
import { emptyApiKey, emptyUser, scopeOf, userAddBodyOf } from './drafts.js';

describe('the forms of the settings', () => {
  it.each([
    [null, 'all'],
    [[], 'none'],
    [['demo'], 'some'],
  ])('reads the agents %j as %s', (agents, scope) => {
    expect(scopeOf(agents)).toBe(scope);
  });

  it('lets a new key use nothing', () => {
    expect(scopeOf(emptyApiKey.agents)).toBe('none');
  });

  it('does not add a user without a password', () => {
    expect(userAddBodySchema.safeParse(userAddBodyOf(emptyUser)).success).toBe(false);
  });
});
