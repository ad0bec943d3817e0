import {
  agentRoutes,
  crewRoutes,
  runAdminRoutes,
  type AgentListItem,
  type Crew,
  type CrewAddBody,
  type CrewPageBody,
  type CrewUpdateBody,
  type Page,
  type RunDetail,
  type RunListItem,
} from '@netaclaw/contracts';
import { call } from '../../request.js';

export const pageOfCrews = (body: CrewPageBody, signal: AbortSignal): Promise<Page<Crew>> =>
  call(crewRoutes.page, { body, signal });

export const crewInfo = (id: number, signal: AbortSignal): Promise<Crew> =>
  call(crewRoutes.info, { query: { id }, signal });

export const addCrew = (body: CrewAddBody): Promise<Crew> => call(crewRoutes.add, { body });

export const updateCrew = (body: CrewUpdateBody): Promise<Crew> =>
  call(crewRoutes.update, { body });

export const deleteCrews = (ids: number[]): Promise<{ deleted: number }> =>
  call(crewRoutes.delete, { body: { ids } });

export const listAgents = (signal: AbortSignal): Promise<AgentListItem[]> =>
  call(agentRoutes.list, { body: {}, signal });

/** The newest runs of a crew, those of its members left out. */
export const newestRuns = (crew: string, signal: AbortSignal): Promise<Page<RunListItem>> =>
  call(runAdminRoutes.page, { body: { crew, roots: 1, page: 1, size: 20 }, signal });

export const runInfo = (id: string, signal: AbortSignal): Promise<RunDetail> =>
  call(runAdminRoutes.info, { query: { id }, signal });
