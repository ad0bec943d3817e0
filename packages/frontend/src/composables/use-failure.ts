import { shallowRef, watch, type ShallowRef } from 'vue';
import { connection } from '../connection.js';
import type { RequestFailure } from '../failure.js';

/**
 * Holds why something failed. A lost connection is no reason any more when the server is there again:
 * then it is forgotten, or `again` does anew what failed.
 */
export function useFailure(again?: () => void): ShallowRef<RequestFailure | null> {
  const failure = shallowRef<RequestFailure | null>(null);
  watch(connection.restored, () => {
    if (failure.value?.kind !== 'network') return;
    failure.value = null;
    again?.();
  });
  return failure;
}
