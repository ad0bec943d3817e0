import type { z } from 'zod';
import { computed, ref, shallowRef } from 'vue';
import { toFailure } from '../failure.js';
import { validate } from '../validation.js';
import type { Difference } from './conflict.js';
import { isSame } from './same.js';
import type { Editor } from './use-editor.js';
import { byPath, useRefusal } from './use-refusal.js';

export interface AddOptions<Row, Draft, Body extends z.ZodType> {
  /** What the form shows at first. */
  empty: Draft;
  bodySchema: Body;
  bodyOf: (draft: Draft) => unknown;
  add: (body: z.output<Body>) => Promise<Row>;
}

/**
 * A form over a row that is not there yet, with the same face as `useEditor`. What is wrong is said of
 * fields that were touched; the first try to save says it of all. While the row is being added the form
 * stands still, since another one takes its place.
 */
export function useAdd<Row, Draft extends object, B extends z.ZodType>(
  options: AddOptions<Row, Draft, B>,
): Omit<Editor<Row, Draft>, 'row' | 'changes'> {
  const base = shallowRef<Draft>(options.empty);
  const draft = shallowRef<Draft>(options.empty);
  const touched = ref<string[]>([]);
  const isTried = ref(false);
  const saving = ref(false);
  const { failure, ...refusal } = useRefusal(() => draft.value);
  const parsed = computed(() => validate(options.bodySchema, options.bodyOf(draft.value)));
  const problems = computed(() => {
    const shown = parsed.value.problems.filter(
      ({ path }) => isTried.value || touched.value.includes(String(path[0])),
    );
    return { ...refusal.problems.value, ...byPath(shown) };
  });

  async function save(): Promise<Row | null> {
    isTried.value = true;
    failure.value = null;
    if (saving.value || !parsed.value.success) return null;
    const sent = draft.value;
    saving.value = true;
    try {
      const added = await options.add(parsed.value.data);
      base.value = sent;
      return added;
    } catch (error) {
      refusal.refuse(toFailure(error), sent);
      return null;
    } finally {
      saving.value = false;
    }
  }

  return {
    draft: computed(() => draft.value),
    set: (key, value) => {
      if (saving.value) return;
      draft.value = { ...draft.value, [key]: value };
      touched.value = [...touched.value, String(key)];
    },
    isDirty: computed(() => !isSame(draft.value, base.value)),
    problems,
    isValid: computed(() => parsed.value.success),
    saving,
    failure,
    conflict: shallowRef<readonly Difference[] | null>(null),
    save,
    settle: save,
  };
}
