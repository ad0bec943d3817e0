import { expect, it } from 'vitest';
import { hashPassword, verifyPassword } from './password.js';

it('knows the right password from a wrong one', async () => {
  const stored = await hashPassword('correct horse');
  expect(stored).toMatch(/^scrypt\$32768\$8\$3\$[\w+/=]+\$[\w+/=]+$/);
  expect(await verifyPassword('correct horse', stored)).toBe(true);
  expect(await verifyPassword('correct horsf', stored)).toBe(false);
});

it('salts: the same password is stored differently each time', async () => {
  expect(await hashPassword('same')).not.toBe(await hashPassword('same'));
});

it('takes a letter and its accent for the same password, however they were typed', async () => {
  expect(await verifyPassword('caf\u0065\u0301', await hashPassword('caf\u00e9'))).toBe(true);
});

it('works as long for a user who does not exist', async () => {
  const stored = await hashPassword('x');
  const known = await timeOf(() => verifyPassword('wrong', stored));
  const unknown = await timeOf(() => verifyPassword('wrong', null));
  expect(await verifyPassword('', null)).toBe(false);
  expect(unknown).toBeGreaterThan(known / 5);
});

it('reads the cost from what is stored, so that it can be raised later', async () => {
  const cheap = 'scrypt$16$8$1$c2FsdA==$';
  expect(await verifyPassword('x', cheap)).toBe(false);
  await expect(verifyPassword('x', 'plain text')).rejects.toThrow('not in the form');
});

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
