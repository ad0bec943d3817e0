import {
  MAX_PAGE_SIZE,
  runAdminRoutes,
  sessionAdminRoutes,
  type Page,
  type Run,
  type RunDetail,
  type RunListItem,
  type RunPageBody,
  type SessionMessage,
} from '@netaclaw/contracts';
import { call } from '../../request.js';

/** How many pages of a session are looked through for the messages of one run. */
const MAX_PAGES = 25;

export const pageOfRuns = (body: RunPageBody, signal: AbortSignal): Promise<Page<RunListItem>> =>
  call(runAdminRoutes.page, { body, signal });

export const runInfo = (id: string, signal: AbortSignal): Promise<RunDetail> =>
  call(runAdminRoutes.info, { query: { id }, signal });

export const cancelRun = (id: string): Promise<Run> =>
  call(runAdminRoutes.cancel, { body: { id } });

/** The messages of one run. The server keeps them by session, so its pages are looked through. */
export async function messagesOfRun(
  { runId, sessionId }: Pick<Run, 'runId' | 'sessionId'>,
  signal: AbortSignal,
): Promise<SessionMessage[]> {
  const found: SessionMessage[] = [];
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const { list } = await pageOfMessages({ sessionId, page }, signal);
    const own = list.filter((entry) => entry.runId === runId);
    found.push(...own);
    const isPast = found.length > 0 && list.at(-1)?.runId !== runId;
    if (isPast || list.length < MAX_PAGE_SIZE) break;
  }
  return found;
}

const pageOfMessages = (
  { sessionId, page }: { sessionId: string; page: number },
  signal: AbortSignal,
): Promise<Page<SessionMessage>> =>
  call(sessionAdminRoutes.messages, { body: { id: sessionId, page, size: MAX_PAGE_SIZE }, signal });
