import {
  agentRoutes,
  channelRoutes,
  overviewRoutes,
  runAdminRoutes,
  toolRoutes,
  type Figures,
  type Page,
  type RunListItem,
} from '@netaclaw/contracts';
import { call } from '../../request.js';
import { figuresBodyOf, type WindowKey } from './window.js';

/** How many there are of what an operator looks after. */
export interface Counts {
  tools: number;
  toolsOff: number;
  agents: number;
  channels: number;
}

export async function loadCounts(signal: AbortSignal): Promise<Counts> {
  const one = { page: 1, size: 1 };
  const [tools, off, agents, channels] = await Promise.all([
    call(toolRoutes.page, { body: one, signal }),
    call(toolRoutes.page, { body: { ...one, status: 0 }, signal }),
    call(agentRoutes.page, { body: one, signal }),
    call(channelRoutes.page, { body: one, signal }),
  ]);
  return {
    tools: tools.pagination.total,
    toolsOff: off.pagination.total,
    agents: agents.pagination.total,
    channels: channels.pagination.total,
  };
}

export const loadNewestRuns = (signal: AbortSignal): Promise<Page<RunListItem>> =>
  call(runAdminRoutes.page, { body: { size: 10, order: 'startedAt', sort: 'desc' }, signal });

/** What happened in the window that ends now. */
export const loadFigures = (window: WindowKey, signal: AbortSignal): Promise<Figures> =>
  call(overviewRoutes.figures, { body: figuresBodyOf(window, new Date()), signal });
