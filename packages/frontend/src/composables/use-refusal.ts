import { computed, shallowRef, type ComputedRef, type ShallowRef } from 'vue';
import type { RequestFailure } from '../failure.js';
import { isSame } from './same.js';
import { useFailure } from './use-failure.js';

/** What the server said against a form. */
export interface Refusal<Draft> {
  failure: ShallowRef<RequestFailure | null>;
  /** Its sentences about single fields, by path, until the field they are about is changed. */
  problems: ComputedRef<Readonly<Record<string, string>>>;
  /** Keeps the server's word on what was sent. */
  refuse: (failure: RequestFailure, sent: Draft) => void;
}

/** Holds the server's refusal of a form; `draft` is what the form shows now. */
export function useRefusal<Draft extends object>(draft: () => Draft): Refusal<Draft> {
  const failure = useFailure();
  const sent = shallowRef<Draft | null>(null);
  const problems = computed(() => {
    const said = failure.value?.problems ?? [];
    const standing = said.filter(({ path }) => isSameField(path, draft(), sent.value ?? {}));
    return byPath(standing.map(({ path, message }) => ({ path: path.split('.'), message })));
  });
  return {
    failure,
    problems,
    refuse: (found, refused) => {
      failure.value = found;
      sent.value = refused;
    },
  };
}

/** By path; of several at one place the first. */
export const byPath = (
  problems: readonly { path: readonly PropertyKey[]; message: string }[],
): Record<string, string> =>
  Object.fromEntries(problems.toReversed().map(({ path, message }) => [path.join('.'), message]));

function isSameField(path: string, one: object, other: object): boolean {
  const [name = ''] = path.split('.');
  return isSame(fieldOf(one, name), fieldOf(other, name));
}

const fieldOf = (fields: object, name: string): unknown =>
  new Map<string, unknown>(Object.entries(fields)).get(name);
