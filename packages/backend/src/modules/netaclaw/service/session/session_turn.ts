import type { SessionMessage, SessionTurn } from '@netaclaw/contracts';
import type { NetaClawRunEntity } from '../../entity/run.js';
import { storedEventsOf } from '../run/run_view.js';

type TurnRow = Pick<NetaClawRunEntity, 'id' | 'status' | 'error' | 'model' | 'events'>;

/** What a turn's messages do not tell: its end, and of its events the times and the files. */
export function sessionTurnOf(row: TurnRow): SessionTurn {
  const { id: runId, status, error, model } = row;
  const turn: SessionTurn = {
    runId,
    status,
    error,
    model,
    rehearsal: false,
    durations: {},
    files: [],
  };
  let lastCall: string | null = null;
  for (const event of storedEventsOf(row)) {
    if (event.type === 'run-start') turn.rehearsal = event.rehearsal;
    else if (event.type === 'tool-call') lastCall = event.id;
    else if (event.type === 'tool-result') turn.durations[event.id] = event.durationMs;
    else if (event.type === 'file') {
      const { fileId, name, size } = event;
      turn.files.push({ fileId, name, size, after: lastCall });
    }
  }
  return turn;
}

/** The files that messages name. */
export function fileIdsOf(messages: readonly SessionMessage[]): string[] {
  const ids = messages.flatMap(({ message }) =>
    message.role === 'user' && typeof message.content !== 'string'
      ? message.content.flatMap((part) => ('fileId' in part && part.fileId ? [part.fileId] : []))
      : [],
  );
  return [...new Set(ids)];
}
