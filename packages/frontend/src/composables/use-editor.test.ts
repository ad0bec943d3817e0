import { describe, expect, it } from 'vitest';
import { nextTick } from 'vue';
import { z } from 'zod';
import { connectionLost, connectionWorks } from '../connection.js';
import { RequestFailure } from '../failure.js';
import { useEditor, type EditorOptions } from './use-editor.js';

const rowSchema = z.object({ id: z.int(), version: z.int(), label: z.string(), hint: z.string() });
type Row = z.infer<typeof rowSchema>;
type Draft = Pick<Row, 'label' | 'hint'>;
const bodySchema = rowSchema.partial().extend({ label: z.string().min(1).optional() });
const row: Row = { id: 1, version: 1, label: 'a', hint: 'b' };

/** A server with one row, at which somebody else may have been. */
function editing(stored: Row) {
  return useEditor(optionsOf(stored));
}

function optionsOf(stored: Row): EditorOptions<Row, Draft, typeof bodySchema> {
  let current = stored;
  return {
    row,
    pick: ({ label, hint }) => ({ label, hint }),
    keys: ['label', 'hint'],
    rowSchema,
    bodySchema,
    bodyOf: (changes, { id, version }) => ({ id, version, ...changes }),
    save: async (body) => {
      if (body.version !== current.version) {
        throw new RequestFailure('changed', { kind: 'conflict', details: { current } });
      }
      current = { ...current, ...body, version: current.version + 1 };
      return current;
    },
  };
}

describe('useEditor', () => {
  it('stores what was changed and begins anew from the stored row', async () => {
    const editor = editing(row);
    editor.set('label', 'new');
    expect(editor.changes.value).toEqual({ label: 'new' });
    await expect(editor.save()).resolves.toMatchObject({ label: 'new', version: 2 });
    expect(editor.isDirty.value).toBe(false);
  });

  it('keeps what is typed while a save is under way, unsaved', async () => {
    const editor = editing(row);
    editor.set('label', 'new');
    const saved = editor.save();
    editor.set('label', 'newer');
    editor.set('hint', 'typed meanwhile');
    await expect(saved).resolves.toMatchObject({ label: 'new', hint: 'b', version: 2 });
    expect(editor.changes.value).toEqual({ label: 'newer', hint: 'typed meanwhile' });
    await expect(editor.save()).resolves.toMatchObject({ label: 'newer', version: 3 });
    expect(editor.isDirty.value).toBe(false);
  });

  it('takes what the server made of the fields that were left alone meanwhile', async () => {
    const editor = useEditor({
      ...optionsOf(row),
      save: async (body) => ({ ...row, ...body, label: 'trimmed', version: 2 }),
    });
    editor.set('label', ' trimmed ');
    const saved = editor.save();
    editor.set('hint', 'typed meanwhile');
    await saved;
    expect(editor.draft.value).toEqual({ label: 'trimmed', hint: 'typed meanwhile' });
    expect(editor.changes.value).toEqual({ hint: 'typed meanwhile' });
  });

  it('sends a save once', async () => {
    const editor = editing(row);
    editor.set('label', 'new');
    const [first, second] = await Promise.all([editor.save(), editor.save()]);
    expect([first?.version, second]).toEqual([2, null]);
  });

  it('does not send what the contracts refuse', async () => {
    const editor = editing(row);
    editor.set('label', '');
    expect(Object.keys(editor.problems.value)).toEqual(['label']);
    await expect(editor.save()).resolves.toBeNull();
  });

  it('loses neither change when somebody else was faster', async () => {
    const editor = editing({ ...row, version: 2, hint: 'theirs' });
    editor.set('label', 'mine');
    await expect(editor.save()).resolves.toBeNull();
    expect(editor.conflict.value?.map(({ key, changedBy }) => [key, changedBy])).toEqual([
      ['label', 'me'],
      ['hint', 'them'],
    ]);
    expect(editor.draft.value.label).toBe('mine');
    await expect(editor.settle({})).resolves.toEqual({
      id: 1,
      version: 3,
      label: 'mine',
      hint: 'theirs',
    });
  });

  it('shows a taken name at its field, never as a conflict with the row that has it', async () => {
    const message = 'there is already one named taken';
    const refusal = new RequestFailure(message, {
      kind: 'conflict',
      details: { problems: [{ path: 'label', message }], current: { ...row, id: 7, version: 5 } },
    });
    const editor = useEditor({
      ...optionsOf(row),
      save: () => Promise.reject(refusal),
    });
    editor.set('label', 'taken');
    await expect(editor.save()).resolves.toBeNull();
    expect(editor.conflict.value).toBeNull();
    expect(editor.failure.value).toBe(refusal);
    expect([editor.problems.value, editor.isValid.value]).toEqual([{ label: message }, true]);
    editor.set('label', 'free');
    expect(editor.problems.value).toEqual({});
    await expect(editor.settle({})).resolves.toBeNull();
    expect([editor.row.value.id, editor.draft.value.label]).toEqual([1, 'free']);
  });

  it('does not take a conflict with another row for one between people', async () => {
    const refusal = new RequestFailure('in the way', {
      kind: 'conflict',
      details: { current: { ...row, id: 7, version: 5 } },
    });
    const editor = useEditor({ ...optionsOf(row), save: () => Promise.reject(refusal) });
    editor.set('label', 'mine');
    await editor.save();
    expect([editor.conflict.value, editor.failure.value]).toEqual([null, refusal]);
  });

  it('forgets a lost connection when the server is there again', async () => {
    const lost = new RequestFailure('gone', { kind: 'network' });
    const editor = useEditor({ ...optionsOf(row), save: () => Promise.reject(lost) });
    editor.set('label', 'mine');
    connectionLost();
    await editor.save();
    expect(editor.failure.value).toBe(lost);
    connectionWorks();
    await nextTick();
    expect([editor.failure.value, editor.draft.value.label]).toEqual([null, 'mine']);
  });

  it("shows the server's refusal when nobody else was there", async () => {
    const editor = editing(row);
    const refusal = new RequestFailure('locked', { kind: 'conflict', details: { current: row } });
    const refused = useEditor({
      row,
      pick: ({ label }) => ({ label }),
      keys: ['label'],
      rowSchema,
      bodySchema,
      bodyOf: (changes) => changes,
      save: () => Promise.reject(refusal),
    });
    await refused.save();
    expect(refused.conflict.value).toBeNull();
    expect(refused.failure.value).toBe(refusal);
    expect(editor.failure.value).toBeNull();
  });
});
