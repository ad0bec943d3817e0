import {
  agentRoutes,
  chatRoutes,
  type AgentListItem,
  type ChatBody,
  type File as StoredFile,
  type Page,
  type PromptPreview,
  type Run,
  type RunEvent,
  type SessionMessage,
} from '@netaclaw/contracts';
import { answerOf, call, send } from '../../request.js';
import { runEvents } from '../../socket.js';

export const listAgents = (signal: AbortSignal): Promise<AgentListItem[]> =>
  call(agentRoutes.list, { body: {}, signal });

/** What an agent gets before its first turn here. */
export const previewOf = (id: number, signal: AbortSignal): Promise<PromptPreview> =>
  call(agentRoutes.previewPrompt, { body: { id }, signal });

export const messagesOf = (id: string, signal: AbortSignal): Promise<Page<SessionMessage>> =>
  call(chatRoutes.sessionMessages, { params: { id }, query: { page: 1, size: 200 }, signal });

export const cancelRun = (id: string): Promise<Run> =>
  call(chatRoutes.cancelRun, { params: { id } });

/** Begins a turn, or joins the one that was begun with the same `requestId`; answers its events. */
export const startTurn = (body: Partial<ChatBody>, signal: AbortSignal): AsyncGenerator<RunEvent> =>
  runEvents({ method: 'chat.send', params: body }, signal);

/** The events of a run after `seq`: what has been, then what comes. */
export const eventsAfter = (
  runId: string,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<RunEvent> =>
  runEvents({ method: 'run.subscribe', params: { runId, after } }, signal);

export async function uploadFile(file: File): Promise<StoredFile> {
  const form = new FormData();
  form.append('file', file);
  return answerOf(chatRoutes.upload, await send(chatRoutes.upload, { body: form }));
}
