import { z } from 'zod';
import {
  computed,
  ref,
  shallowReactive,
  shallowRef,
  type ComputedRef,
  type Ref,
  type ShallowRef,
} from 'vue';
import { toFailure, type RequestFailure } from '../failure.js';
import { validate, type Problem } from '../validation.js';
import { changesOf, differences, merged, type Choice, type Difference } from './conflict.js';

/** A form over one row: what is typed, what is wrong with it, and how it is stored. */
export interface Editor<Row, Draft> {
  row: ComputedRef<Row>;
  draft: ComputedRef<Draft>;
  set: <K extends keyof Draft>(key: K, value: Draft[K]) => void;
  changes: ComputedRef<Partial<Draft>>;
  isDirty: ComputedRef<boolean>;
  /** What the contracts say against the changes, by path. */
  problems: ComputedRef<Readonly<Record<string, string>>>;
  saving: Ref<boolean>;
  failure: ShallowRef<RequestFailure | null>;
  /** Where somebody else's change, stored meanwhile, differs; null when nobody was faster. */
  conflict: ShallowRef<readonly Difference[] | null>;
  /** Stores the changes; the row as stored, or null when it was refused. */
  save: () => Promise<Row | null>;
  /** Takes both people's changes together and stores them. */
  settle: (choices: Readonly<Record<string, Choice>>) => Promise<Row | null>;
}

export interface EditorOptions<Row, Draft, Body extends z.ZodType> {
  row: Row;
  /** What of a row can be changed. */
  pick: (row: Row) => Draft;
  keys: readonly (keyof Draft & string)[];
  rowSchema: z.ZodType<Row>;
  bodySchema: Body;
  bodyOf: (changes: Partial<Draft>, row: Row) => unknown;
  save: (body: z.output<Body>) => Promise<Row>;
}

/** Edits a row; a stale version never loses what was typed. */
export function useEditor<
  Row extends { version: number },
  Draft extends object,
  B extends z.ZodType,
>(options: EditorOptions<Row, Draft, B>): Editor<Row, Draft> {
  const { keys, pick } = options;
  const { state, parsed, ...form } = useDraft(options);
  const theirs = shallowRef<Row | null>(null);
  const conflict = shallowRef<readonly Difference[] | null>(null);
  const failure = shallowRef<RequestFailure | null>(null);
  const saving = ref(false);
  const versions = (current: Row) => ({
    base: pick(state.row),
    mine: state.draft,
    theirs: pick(current),
  });

  async function save(): Promise<Row | null> {
    if (!parsed.value.success) return null;
    saving.value = true;
    failure.value = null;
    try {
      state.row = await options.save(parsed.value.data);
      state.draft = pick(state.row);
      return state.row;
    } catch (error) {
      refuse(toFailure(error));
      return null;
    } finally {
      saving.value = false;
    }
  }

  /** A conflict with a newer row is one between people; any other is the server's refusal. */
  function refuse(found: RequestFailure): void {
    const current = currentOf(options.rowSchema, found);
    const isBetweenPeople = current !== null && current.version !== state.row.version;
    theirs.value = isBetweenPeople ? current : null;
    conflict.value = isBetweenPeople ? differences(versions(current), keys) : null;
    failure.value = isBetweenPeople ? null : found;
  }

  function settle(choices: Readonly<Record<string, Choice>>): Promise<Row | null> {
    const current = theirs.value;
    if (current) {
      state.draft = merged(versions(current), keys, choices);
      state.row = current;
    }
    theirs.value = null;
    conflict.value = null;
    return save();
  }

  return { ...form, saving, failure, conflict, save, settle };
}

/** What is typed, and what is wrong with it. */
function useDraft<Row, Draft extends object, B extends z.ZodType>({
  row,
  pick,
  keys,
  bodySchema,
  bodyOf,
}: EditorOptions<Row, Draft, B>) {
  const state: { row: Row; draft: Draft } = shallowReactive({ row, draft: pick(row) });
  const changes = computed(() => changesOf(pick(state.row), state.draft, keys));
  const parsed = computed(() => validate(bodySchema, bodyOf(changes.value, state.row)));
  return {
    state,
    parsed,
    changes,
    row: computed(() => state.row),
    draft: computed(() => state.draft),
    set: <K extends keyof Draft>(key: K, value: Draft[K]) => {
      state.draft = { ...state.draft, [key]: value };
    },
    isDirty: computed(() => Object.keys(changes.value).length > 0),
    problems: computed(() => problemsByPath(parsed.value.problems)),
  };
}

function currentOf<Row>(schema: z.ZodType<Row>, failure: RequestFailure): Row | null {
  if (failure.kind !== 'conflict') return null;
  const parsed = z.object({ current: schema }).safeParse(failure.details);
  return parsed.success ? parsed.data.current : null;
}

/** By path; of several at one place the first. */
const problemsByPath = (problems: readonly Problem[]): Record<string, string> =>
  Object.fromEntries(problems.toReversed().map(({ path, message }) => [path.join('.'), message]));
