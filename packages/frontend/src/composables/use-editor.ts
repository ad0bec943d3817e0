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
import { validate } from '../validation.js';
import { changesOf, differences, merged, type Choice, type Difference } from './conflict.js';
import { byPath, useRefusal } from './use-refusal.js';

/** A form over one row: what is typed, what is wrong with it, and how it is stored. */
export interface Editor<Row, Draft> {
  row: ComputedRef<Row>;
  draft: ComputedRef<Draft>;
  set: <K extends keyof Draft>(key: K, value: Draft[K]) => void;
  changes: ComputedRef<Partial<Draft>>;
  isDirty: ComputedRef<boolean>;
  /** What the contracts say against the changes, and what the server said against them, by path. */
  problems: ComputedRef<Readonly<Record<string, string>>>;
  /** Whether the contracts allow the changes; what the server said may be true no more. */
  isValid: ComputedRef<boolean>;
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
  Row extends { id: number; version: number },
  Draft extends object,
  B extends z.ZodType,
>(options: EditorOptions<Row, Draft, B>): Editor<Row, Draft> {
  const { state, parsed, refusal, ...form } = useDraft(options);
  const { conflict, ...meeting } = useMeeting(state, options);
  const { failure } = refusal;
  const saving = ref(false);

  async function save(): Promise<Row | null> {
    if (saving.value || !parsed.value.success) return null;
    const sent = state.draft;
    saving.value = true;
    failure.value = null;
    try {
      const stored = await options.save(parsed.value.data);
      begin(stored, sent);
      return stored;
    } catch (error) {
      const found = toFailure(error);
      if (!meeting.begin(currentOf(options.rowSchema, found))) refusal.refuse(found, sent);
      return null;
    } finally {
      saving.value = false;
    }
  }

  /** From the stored row; what was typed since it was sent stays, unsaved. */
  function begin(stored: Row, sent: Draft): void {
    const versions = { base: sent, mine: state.draft, theirs: options.pick(stored) };
    state.draft = merged(versions, options.keys, {});
    state.row = stored;
  }

  function settle(choices: Readonly<Record<string, Choice>>): Promise<Row | null> {
    meeting.end(choices);
    return save();
  }

  return { ...form, saving, failure, conflict, save, settle };
}

interface State<Row, Draft> {
  row: Row;
  draft: Draft;
}

/** What is typed, and what is wrong with it. */
function useDraft<Row, Draft extends object, B extends z.ZodType>({
  row,
  pick,
  keys,
  bodySchema,
  bodyOf,
}: EditorOptions<Row, Draft, B>) {
  const state: State<Row, Draft> = shallowReactive({ row, draft: pick(row) });
  const changes = computed(() => changesOf(pick(state.row), state.draft, keys));
  const parsed = computed(() => validate(bodySchema, bodyOf(changes.value, state.row)));
  const refusal = useRefusal(() => state.draft);
  return {
    state,
    parsed,
    refusal,
    changes,
    row: computed(() => state.row),
    draft: computed(() => state.draft),
    set: <K extends keyof Draft>(key: K, value: Draft[K]) => {
      state.draft = { ...state.draft, [key]: value };
    },
    isDirty: computed(() => Object.keys(changes.value).length > 0),
    problems: computed(() => ({ ...refusal.problems.value, ...byPath(parsed.value.problems) })),
    isValid: computed(() => parsed.value.success),
  };
}

/** Two people at one row: what each of them made of it, and both in one. */
function useMeeting<
  Row extends { id: number; version: number },
  Draft extends object,
  B extends z.ZodType,
>(state: State<Row, Draft>, { pick, keys }: EditorOptions<Row, Draft, B>) {
  const theirs = shallowRef<Row | null>(null);
  const conflict = shallowRef<readonly Difference[] | null>(null);
  const versions = (current: Row) => ({
    base: pick(state.row),
    mine: state.draft,
    theirs: pick(current),
  });
  return {
    conflict,
    /** False when `current` is no newer state of this row: then nobody else was there. */
    begin: (current: Row | null): boolean => {
      const isNewer = current?.id === state.row.id && current.version !== state.row.version;
      theirs.value = isNewer ? current : null;
      conflict.value = isNewer ? differences(versions(current), keys) : null;
      return isNewer;
    },
    end: (choices: Readonly<Record<string, Choice>>): void => {
      const current = theirs.value;
      theirs.value = null;
      conflict.value = null;
      if (!current) return;
      state.draft = merged(versions(current), keys, choices);
      state.row = current;
    },
  };
}

/** The row as it stands now, of a stale version; that of a name that is taken is another one. */
function currentOf<Row>(schema: z.ZodType<Row>, failure: RequestFailure): Row | null {
  if (failure.kind !== 'conflict' || failure.problems.length > 0) return null;
  const parsed = z.object({ current: schema }).safeParse(failure.details);
  return parsed.success ? parsed.data.current : null;
}
