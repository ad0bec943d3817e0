import { expect, it } from 'vitest';
import { DomainError } from '../error.js';
import { PasswordGuard } from './password_guard.js';

const wrong = async () => false;
const right = async () => true;

async function refusalOf(work: Promise<unknown>): Promise<DomainError | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}

it('holds back a name from every address after ten wrong passwords', async () => {
  const guard = new PasswordGuard();
  for (let ip = 0; ip < 10; ip++) await guard.check({ name: 'ann', ip: `10.0.0.${ip}` }, wrong);
  const refusal = await refusalOf(guard.check({ name: ' ANN', ip: '10.0.1.1' }, right));
  expect(refusal?.kind).toBe('rateLimited');
  expect(refusal?.details).toEqual({ retryAfter: expect.any(Number) });
  expect(await guard.check({ name: 'bob', ip: '10.0.0.1' }, right)).toBe(true);
});

it('holds back an address for every name after ten wrong passwords', async () => {
  const guard = new PasswordGuard();
  for (let name = 0; name < 10; name++) await guard.check({ name: `n${name}`, ip: 'a' }, wrong);
  expect(await refusalOf(guard.check({ name: 'n99', ip: 'a' }, right))).not.toBeNull();
});

it('looks at no more than ten of many attempts at once', async () => {
  const guard = new PasswordGuard();
  let looked = 0;
  const slow = async () => {
    looked += 1;
    await new Promise((resolve) => setTimeout(resolve, 1));
    return false;
  };
  const attempts = Array.from({ length: 40 }, (_, index) =>
    refusalOf(guard.check({ name: 'ann', ip: `10.0.0.${index % 4}` }, slow)),
  );
  const refusals = (await Promise.all(attempts)).filter((refusal) => refusal !== null);
  expect({ looked, refused: refusals.length }).toEqual({ looked: 10, refused: 30 });
});

it('leaves right passwords alone, and forgets the wrong ones of a name after a right one', async () => {
  const guard = new PasswordGuard();
  const attempt = { name: 'ann', ip: 'a' };
  for (let times = 0; times < 30; times++) expect(await guard.check(attempt, right)).toBe(true);
  for (let times = 0; times < 9; times++) await guard.check(attempt, wrong);
  await guard.check(attempt, right);
  expect(await guard.check({ name: 'ann', ip: 'b' }, wrong)).toBe(false);
  expect(await guard.check({ name: 'ann', ip: 'b' }, right)).toBe(true);
});
