import { systemRoutes } from '@netaclaw/contracts';
import { readonly, ref } from 'vue';

const RETRY_MS = 5000;

const lost = ref(false);
/** Counts how often the connection came back; what failed meanwhile loads anew when it moves. */
const restored = ref(0);
let timer: ReturnType<typeof setTimeout> | undefined;

/** Whether the server is reachable, as the last request found. */
export const connection = { lost: readonly(lost), restored: readonly(restored), retry };

/** A request could not reach the server: says so and goes on trying by itself. */
export function connectionLost(): void {
  lost.value = true;
  timer ??= setTimeout(() => void retry(), RETRY_MS);
}

export function connectionWorks(): void {
  clearTimeout(timer);
  timer = undefined;
  if (!lost.value) return;
  lost.value = false;
  restored.value += 1;
}

/** Asks once whether the server is there again. */
async function retry(): Promise<void> {
  clearTimeout(timer);
  timer = undefined;
  try {
    const response = await fetch(systemRoutes.live.path);
    if (response.ok) connectionWorks();
    else connectionLost();
  } catch {
    connectionLost();
  }
}
