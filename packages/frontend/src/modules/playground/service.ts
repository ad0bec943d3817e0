import {
  agentRoutes,
  chatRoutes,
  crewRoutes,
  MAX_PAGE_SIZE,
  type AgentListItem,
  type ChatBody,
  type Crew,
  type File as StoredFile,
  type Page,
  type PromptPreview,
  type Run,
  type RunEvent,
  type Session,
  type SessionMessages,
} from '@netaclaw/contracts';
import type { Partner } from './partner.js';
import { PAGE_SIZE } from './session-pages.js';
import { answerOf, call, send } from '../../request.js';
import { runEvents } from '../../socket.js';

export const listAgents = (signal: AbortSignal): Promise<AgentListItem[]> =>
  call(agentRoutes.list, { body: {}, signal });

/** What an agent gets before its first turn here. */
export const previewOf = (
  { agentId: id, crewId }: Pick<Partner, 'agentId' | 'crewId'>,
  signal: AbortSignal,
): Promise<PromptPreview> => {
  const seat = crewId === null ? {} : { crewId, crewRole: 'master' as const };
  return call(agentRoutes.previewPrompt, { body: { id, ...seat }, signal });
};

/** The crews that can be talked to; more than a page are found by their address. */
export async function listCrews(signal: AbortSignal): Promise<Crew[]> {
  const body = { page: 1, size: MAX_PAGE_SIZE, order: 'name' as const, sort: 'asc' as const };
  return (await call(crewRoutes.page, { body, signal })).list;
}

/** One page of a session's messages, from the oldest on. */
export const messagesOf = (
  id: string,
  page: number,
  signal: AbortSignal,
): Promise<SessionMessages> =>
  call(chatRoutes.sessionMessages, { params: { id }, query: { page, size: PAGE_SIZE }, signal });

/** Sessions a page of the list shows. */
export const SESSIONS_PAGE = 15;

/** The caller's sessions, newest first. */
export const pageOfSessions = (page: number, signal: AbortSignal): Promise<Page<Session>> =>
  call(chatRoutes.sessions, { query: { page, size: SESSIONS_PAGE }, signal });

export const deleteSession = (id: string): Promise<{ deleted: number }> =>
  call(chatRoutes.deleteSession, { params: { id } });

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

/** The content of one of the caller's files. */
export const fileOf = async (id: string): Promise<Blob> =>
  (await send(chatRoutes.download, { params: { id } })).blob();
