import { expect, it } from 'vitest';
import { RequestFailure } from '../failure.js';
import { useAct } from './use-act.js';

it('is busy while it lasts, and keeps why it failed until it is done again', async () => {
  const { isBusy, failure, act } = useAct();
  const refused = new RequestFailure('No.', { kind: 'conflict' });
  const seen: boolean[] = [];
  await act(async () => {
    seen.push(isBusy.value);
    throw refused;
  });
  expect([seen, isBusy.value, failure.value]).toEqual([[true], false, refused]);
  await act(async () => {
    seen.push(failure.value === null);
  });
  expect([seen, failure.value]).toEqual([[true, true], null]);
});
