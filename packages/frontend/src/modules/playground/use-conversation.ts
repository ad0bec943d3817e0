import type { File as StoredFile, Part, RunEvent } from '@netaclaw/contracts';
import {
  computed,
  onScopeDispose,
  ref,
  shallowRef,
  type ComputedRef,
  type Ref,
  type ShallowRef,
} from 'vue';
import { isAbort, toFailure, type RequestFailure } from '../../failure.js';
import { newTurn, turnsOf, withEvent, type Turn } from './conversation.js';
import { followRun } from './follow-run.js';
import { addresseeOf } from './partner.js';
import { cancelRun, eventsAfter, messagesOf, startTurn } from './service.js';
import { NOTHING_READ, readNewest, readOlder, type ReadSoFar } from './session-pages.js';
import { stopping } from './stopping.js';
import { forgetTurn, keepTurn, readTurn } from './stored-turn.js';

export interface Conversation {
  turns: Ref<readonly Turn[]>;
  sessionId: Ref<string | null>;
  busy: ComputedRef<boolean>;
  reconnecting: Ref<boolean>;
  failure: Ref<RequestFailure | null>;
  /** True while the session has messages older than those shown. */
  hasOlder: ComputedRef<boolean>;
  open: (sessionId: string) => Promise<void>;
  loadOlder: () => Promise<void>;
  /** Forgets the session that is open: the next message begins one. */
  reset: () => void;
  ask: (target: string, text: string, files: readonly StoredFile[]) => Promise<void>;
  stop: () => Promise<void>;
}

/** One conversation with an agent or a crew. The turn under way is heard to its end, through lost connections. */
export function useConversation(onSession: (sessionId: string) => void): Conversation {
  const list = useTurns();
  const sessionId = ref<string | null>(null);
  const following = useFollowing(list, (id) => {
    sessionId.value = id;
    onSession(id);
  });
  const { turns } = list;
  const { failure, signal, follow } = following;

  const { read, readFrom, hasOlder, loadOlder } = useStored({ list, sessionId, signal, failure });

  function reset(): void {
    sessionId.value = null;
    failure.value = null;
    turns.value = [];
    read.value = NOTHING_READ;
  }

  async function open(id: string): Promise<void> {
    reset();
    sessionId.value = id;
    if (!(await readFrom(id, readNewest))) return;
    const underWay = turnUnderWay(id);
    if (!underWay) return;
    const { runId, user, files } = underWay;
    const others = turns.value.filter((turn) => turn.runId !== runId);
    turns.value = [...others, newTurn(runId, user, files)];
    await follow({ runId, start: () => eventsAfter(runId, 0, signal) });
  }

  /** The one this page was at, else one that somebody else has begun. */
  function turnUnderWay(id: string) {
    const kept = readTurn();
    if (kept?.sessionId === id) return kept;
    const running = turns.value.find(({ status }) => status === 'running');
    if (!running?.runId) return null;
    const { runId, user, files } = running;
    return { runId, user, files };
  }

  async function ask(target: string, text: string, files: readonly StoredFile[]): Promise<void> {
    const requestId = crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;
    const names = files.map(({ name }) => name);
    turns.value = [...turns.value, newTurn(requestId, text, names)];
    const session = sessionId.value === null ? {} : { sessionId: sessionId.value };
    const addressee = addresseeOf(target);
    const body = { ...addressee, message: messageOf(text, files), requestId, ...session };
    await follow({ start: () => startTurn(body, signal) });
  }

  const stop = (): Promise<void> => following.stop();

  const { reconnecting } = following;
  const { busy } = list;
  const shown = { turns, sessionId, busy, reconnecting, failure, hasOlder };
  return { ...shown, open, loadOlder, reset, ask, stop };
}

/** What the server has stored of the session that is open, the newest first. */
function useStored({
  list: { turns },
  sessionId,
  signal,
  failure,
}: {
  list: TurnList;
  sessionId: Ref<string | null>;
  signal: AbortSignal;
  failure: Ref<RequestFailure | null>;
}) {
  const read = shallowRef<ReadSoFar>(NOTHING_READ);
  const loader = (id: string) => (page: number) => messagesOf(id, page, signal);

  /** Turns that only this page knows stay behind those stored. False when nothing came of it. */
  async function readFrom(
    id: string,
    how: (load: ReturnType<typeof loader>) => Promise<ReadSoFar>,
  ): Promise<boolean> {
    try {
      const found = await how(loader(id));
      if (sessionId.value !== id) return false;
      const before = new Set(turnsOf(read.value).map(({ runId }) => runId));
      const stored = turnsOf(found);
      turns.value = [...stored, ...turns.value.filter(({ runId }) => !before.has(runId))];
      read.value = found;
      return true;
    } catch (error) {
      if (!isAbort(error)) failure.value = toFailure(error);
      return false;
    }
  }

  return {
    read,
    readFrom,
    hasOlder: computed(() => read.value.olderPage > 0),
    loadOlder: async () => {
      const { value: id } = sessionId;
      if (id !== null) await readFrom(id, (load) => readOlder(load, read.value));
    },
  };
}

interface TurnList {
  turns: ShallowRef<readonly Turn[]>;
  /** The newest. */
  current: ComputedRef<Turn | null>;
  busy: ComputedRef<boolean>;
  /** Changes the newest. */
  change: (by: (turn: Turn) => Turn) => void;
}

function useTurns(): TurnList {
  const turns = shallowRef<readonly Turn[]>([]);
  const current = computed(() => turns.value.at(-1) ?? null);
  return {
    turns,
    current,
    busy: computed(() => current.value?.status === 'running'),
    change: (by) => {
      if (current.value) turns.value = [...turns.value.slice(0, -1), by(current.value)];
    },
  };
}

/** Follows the newest turn; what cannot be followed ends as failed, with the sentence. */
function useFollowing(list: TurnList, onSession: (sessionId: string) => void) {
  const reconnecting = ref(false);
  const failure = shallowRef<RequestFailure | null>(null);
  const controller = new AbortController();
  const { signal } = controller;
  onScopeDispose(() => controller.abort());
  const stop = stopping({
    runId: () => list.current.value?.runId ?? null,
    isLost: () => reconnecting.value,
    cancel: cancelRun,
  });

  function hear(event: RunEvent): void {
    list.change((turn) => withEvent(turn, event));
    stop.heard(event);
    if (event.seq !== 1) return;
    const { user = '', files = [] } = list.current.value ?? {};
    keepTurn({ sessionId: event.sessionId, runId: event.runId, user, files: [...files] });
    onSession(event.sessionId);
  }

  function onConnection(connected: boolean): void {
    reconnecting.value = !connected;
    if (!connected) stop.lost();
  }

  async function follow(how: {
    runId?: string;
    start: () => AsyncIterable<RunEvent>;
  }): Promise<void> {
    failure.value = null;
    const givenUp = stop.begin();
    const either = AbortSignal.any([signal, givenUp]);
    try {
      const hearing = { resume: eventsAfter, signal: either, onConnection, onEvent: hear };
      await followRun({ ...how, ...hearing });
    } catch (error) {
      if (givenUp.aborted) list.change((turn) => ({ ...turn, status: 'cancelled' }));
      if (isAbort(error)) return;
      failure.value = toFailure(error);
      list.change((turn) => ({ ...turn, status: 'failed' }));
    } finally {
      reconnecting.value = false;
      if (!list.busy.value) forgetTurn();
    }
  }

  return { reconnecting, failure, signal, follow, stop: stop.stop };
}

function messageOf(text: string, files: readonly StoredFile[]): string | Part[] {
  if (files.length === 0) return text;
  const parts = files.map(({ fileId, mime }): Part =>
    mime.startsWith('image/') ? { type: 'image', fileId } : { type: 'file', fileId },
  );
  return [...(text ? [{ type: 'text' as const, text }] : []), ...parts];
}
