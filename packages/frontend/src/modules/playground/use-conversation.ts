import type { File as StoredFile, Part } from '@netaclaw/contracts';
import { computed, onScopeDispose, ref, shallowRef, type ComputedRef, type Ref } from 'vue';
import { z } from 'zod';
import { isAbort, toFailure, type RequestFailure } from '../../failure.js';
import { newTurn, turnsOf, withEvent, type Turn } from './conversation.js';
import { followRun } from './follow-run.js';
import { cancelRun, eventsAfter, messagesOf, startTurn } from './service.js';

/** The turn under way, for a page that is loaded anew in the middle of it. */
const STORAGE_KEY = 'netaclaw.playground.turn';
const storedSchema = z.object({
  sessionId: z.string(),
  runId: z.string(),
  user: z.string(),
  files: z.array(z.string()),
});

export interface Conversation {
  turns: Ref<readonly Turn[]>;
  sessionId: Ref<string | null>;
  busy: ComputedRef<boolean>;
  reconnecting: Ref<boolean>;
  failure: Ref<RequestFailure | null>;
  open: (sessionId: string) => Promise<void>;
  ask: (agent: string, text: string, files: readonly StoredFile[]) => Promise<void>;
  stop: () => Promise<void>;
}

/** One conversation with an agent. The turn under way is heard to its end, through lost connections. */
export function useConversation(onSession: (sessionId: string) => void): Conversation {
  const turns = shallowRef<readonly Turn[]>([]);
  const sessionId = ref<string | null>(null);
  const reconnecting = ref(false);
  const failure = shallowRef<RequestFailure | null>(null);
  const controller = new AbortController();
  onScopeDispose(() => controller.abort());

  const current = computed(() => turns.value.at(-1) ?? null);
  const busy = computed(() => current.value?.status === 'running');

  /** Follows the newest turn; what cannot be followed ends as failed, with the sentence. */
  async function follow(how: { runId?: string; start: () => Promise<Response> }): Promise<void> {
    failure.value = null;
    try {
      await followRun({
        ...how,
        resume: eventsAfter,
        signal: controller.signal,
        onConnection: (connected) => (reconnecting.value = !connected),
        onEvent: (event) => {
          change((turn) => withEvent(turn, event));
          if (event.seq === 1) begin(event.sessionId, event.runId);
        },
      });
    } catch (error) {
      if (isAbort(error)) return;
      failure.value = toFailure(error);
      change((turn) => ({ ...turn, status: 'failed' }));
    } finally {
      reconnecting.value = false;
      if (!controller.signal.aborted) sessionStorage.removeItem(STORAGE_KEY);
    }
  }

  function change(by: (turn: Turn) => Turn): void {
    turns.value = turns.value.map((turn, at) => (at === turns.value.length - 1 ? by(turn) : turn));
  }

  function begin(id: string, runId: string): void {
    sessionId.value = id;
    const { user = '', files = [] } = current.value ?? {};
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ sessionId: id, runId, user, files }));
    onSession(id);
  }

  async function open(id: string): Promise<void> {
    sessionId.value = id;
    failure.value = null;
    try {
      const { list } = await messagesOf(id, controller.signal);
      turns.value = turnsOf(list);
    } catch (error) {
      failure.value = toFailure(error);
      return;
    }
    const stored = readStored();
    if (stored?.sessionId !== id || turns.value.some(({ runId }) => runId === stored.runId)) return;
    turns.value = [...turns.value, newTurn(stored.runId, stored.user, stored.files)];
    const { runId } = stored;
    await follow({ runId, start: () => eventsAfter(runId, 0, controller.signal) });
  }

  async function ask(agent: string, text: string, files: readonly StoredFile[]): Promise<void> {
    const requestId = crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;
    const names = files.map(({ name }) => name);
    turns.value = [...turns.value, newTurn(requestId, text, names)];
    const session = sessionId.value === null ? {} : { sessionId: sessionId.value };
    const body = { agent, message: messageOf(text, files), requestId, ...session };
    await follow({ start: () => startTurn(body, controller.signal) });
  }

  async function stop(): Promise<void> {
    const runId = current.value?.runId;
    if (runId) await cancelRun(runId);
  }

  return { turns, sessionId, busy, reconnecting, failure, open, ask, stop };
}

function messageOf(text: string, files: readonly StoredFile[]): string | Part[] {
  if (files.length === 0) return text;
  const parts = files.map(({ fileId, mime }): Part =>
    mime.startsWith('image/') ? { type: 'image', fileId } : { type: 'file', fileId },
  );
  return [...(text ? [{ type: 'text' as const, text }] : []), ...parts];
}

function readStored(): z.infer<typeof storedSchema> | null {
  try {
    return storedSchema.parse(JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? 'null'));
  } catch {
    return null;
  }
}
