import { ref, type Ref, type ShallowRef } from 'vue';
import { toFailure, type RequestFailure } from '../failure.js';
import { useFailure } from './use-failure.js';

/** Something that a person has the server do: whether it is under way, and why it failed. */
export interface Act {
  isBusy: Ref<boolean>;
  failure: ShallowRef<RequestFailure | null>;
  /** Does it; a failure of what was done before is forgotten. */
  act: (work: () => Promise<void>) => Promise<void>;
}

export function useAct(): Act {
  const isBusy = ref(false);
  const failure = useFailure();

  async function act(work: () => Promise<void>): Promise<void> {
    isBusy.value = true;
    failure.value = null;
    try {
      await work();
    } catch (error) {
      failure.value = toFailure(error);
    } finally {
      isBusy.value = false;
    }
  }

  return { isBusy, failure, act };
}
