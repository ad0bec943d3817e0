import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { RequestFailure } from '../failure.js';
import { useAdd } from './use-add.js';

const bodySchema = z.strictObject({ name: z.string().min(1), model: z.string().min(1) });
const options = {
  empty: { name: '', model: '' },
  bodySchema,
  bodyOf: (draft: unknown) => draft,
  add: (body: z.output<typeof bodySchema>) => Promise.resolve({ id: 1, ...body }),
};

describe('a form over a new row', () => {
  it('says what is wrong of a touched field, and of all after a try', async () => {
    const form = useAdd(options);
    expect(form.problems.value).toEqual({});
    form.set('name', 'a');
    form.set('name', '');
    expect(Object.keys(form.problems.value)).toEqual(['name']);
    expect(await form.save()).toBeNull();
    expect(Object.keys(form.problems.value).toSorted()).toEqual(['model', 'name']);
  });

  it('answers the stored row', async () => {
    const form = useAdd(options);
    form.set('name', 'a');
    form.set('model', 'b');
    expect(form.isDirty.value).toBe(true);
    expect(await form.save()).toEqual({ id: 1, name: 'a', model: 'b' });
    expect(form.isDirty.value).toBe(false);
  });

  it('stands still while the row is being added', async () => {
    const form = useAdd(options);
    form.set('name', 'a');
    form.set('model', 'b');
    const [added, again] = await Promise.all([form.save(), form.save(), form.set('name', 'later')]);
    expect([added?.name, again, form.draft.value.name]).toEqual(['a', null, 'a']);
  });

  it('keeps what was typed when the server refuses', async () => {
    const refusal = new RequestFailure('taken', { kind: 'conflict' });
    const form = useAdd({ ...options, add: () => Promise.reject(refusal) });
    form.set('name', 'a');
    form.set('model', 'b');
    expect(await form.save()).toBeNull();
    expect(form.failure.value).toBe(refusal);
    expect(form.draft.value).toEqual({ name: 'a', model: 'b' });
  });

  it('says a taken name at its field until that is changed', async () => {
    const message = 'there is already one named a';
    const details = { problems: [{ path: 'name', message }], current: { id: 7, version: 5 } };
    const refusal = new RequestFailure(message, { kind: 'conflict', details });
    const form = useAdd({ ...options, add: () => Promise.reject(refusal) });
    form.set('name', 'a');
    form.set('model', 'b');
    await form.save();
    expect([form.conflict.value, form.problems.value]).toEqual([null, { name: message }]);
    form.set('model', 'c');
    expect(form.problems.value).toEqual({ name: message });
    form.set('name', 'other');
    expect(form.problems.value).toEqual({});
  });
});
