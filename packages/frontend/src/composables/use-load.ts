import { onScopeDispose, ref, shallowRef, watch, type Ref, type ShallowRef } from 'vue';
import { connection } from '../connection.js';
import { isAbort, toFailure, type RequestFailure } from '../failure.js';

/** What is asked of the server, with its one loading and one error state. */
export interface Loaded<T> {
  data: ShallowRef<T | null>;
  loading: Ref<boolean>;
  failure: ShallowRef<RequestFailure | null>;
  reload: () => Promise<void>;
}

/**
 * Loads at once and whenever `reload` is called. The newest load wins, an older one is given up; after
 * a lost connection it loads anew by itself.
 */
export function useLoad<T>(load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const data = shallowRef<T | null>(null);
  const loading = ref(false);
  const failure = shallowRef<RequestFailure | null>(null);
  let current: AbortController | null = null;

  async function reload(): Promise<void> {
    current?.abort();
    const own = new AbortController();
    current = own;
    loading.value = true;
    try {
      const loaded = await load(own.signal);
      if (current !== own) return;
      data.value = loaded;
      failure.value = null;
    } catch (error) {
      if (current === own && !isAbort(error)) failure.value = toFailure(error);
    } finally {
      if (current === own) loading.value = false;
    }
  }

  watch(connection.restored, () => {
    if (failure.value?.kind === 'network') void reload();
  });
  onScopeDispose(() => current?.abort());
  void reload();
  return { data, loading, failure, reload };
}
