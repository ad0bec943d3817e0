import {
  agentRoutes,
  skillRoutes,
  type SkillListItem,
  auditRoutes,
  channelRoutes,
  crewRoutes,
  MAX_PAGE_SIZE,
  memoryRoutes,
  sandboxRoutes,
  toolRoutes,
  type Agent,
  type AgentAddBody,
  type AgentPageBody,
  type AgentUpdateBody,
  type AuditRow,
  type BooterKind,
  type ChannelListItem,
  type Crew,
  type MemoryEntry,
  type MemoryPageBody,
  type MemoryUpdateBody,
  type Page,
  type PreviewBody,
  type PromptPreview,
  type SandboxDriver,
  type SandboxProfile,
  type SyncResult,
  type ToolInfo,
  type ToolPageBody,
  type ToolRow,
  type ToolsForAgent,
  type ToolsForAgentBody,
  type ToolUpdateBody,
} from '@netaclaw/contracts';
import { call } from '../../request.js';

export const pageOfTools = (body: ToolPageBody, signal: AbortSignal): Promise<Page<ToolRow>> =>
  call(toolRoutes.page, { body, signal });

/** The id of the tool with this name; null when there is none. */
export async function toolIdOf(name: string): Promise<number | null> {
  const body = { keyWord: name, size: 200, order: 'name' as const, sort: 'asc' as const };
  const { list } = await call(toolRoutes.page, { body });
  return list.find((tool) => tool.name === name)?.id ?? null;
}

export const toolInfo = (id: number, signal?: AbortSignal): Promise<ToolInfo> =>
  call(toolRoutes.info, { query: { id }, ...(signal ? { signal } : {}) });

export const updateTool = (body: ToolUpdateBody): Promise<ToolRow> =>
  call(toolRoutes.update, { body });

export const syncTools = (): Promise<SyncResult> => call(toolRoutes.sync, { body: {} });

/** Who changed a tool, newest first. */
export const toolHistory = (name: string, signal: AbortSignal): Promise<Page<AuditRow>> =>
  call(auditRoutes.page, {
    body: { target: `tool:${name}`, action: 'tool.update', size: 50 },
    signal,
  });

/** The toolsets with their totals, and of their tools those that `body` asks for. */
export const toolsForAgent = (
  body: Partial<ToolsForAgentBody>,
  signal: AbortSignal,
): Promise<ToolsForAgent> => call(toolRoutes.forAgent, { body: { page: 1, ...body }, signal });

export const pageOfAgents = (body: AgentPageBody, signal: AbortSignal): Promise<Page<Agent>> =>
  call(agentRoutes.page, { body, signal });

export const agentInfo = (id: number, signal: AbortSignal): Promise<Agent> =>
  call(agentRoutes.info, { query: { id }, signal });

export const addAgent = (body: AgentAddBody): Promise<Agent> => call(agentRoutes.add, { body });

export const updateAgent = (body: AgentUpdateBody): Promise<Agent> =>
  call(agentRoutes.update, { body });

export const deleteAgents = (ids: number[]): Promise<{ deleted: number }> =>
  call(agentRoutes.delete, { body: { ids } });

export const previewPrompt = (body: PreviewBody, signal: AbortSignal): Promise<PromptPreview> =>
  call(agentRoutes.previewPrompt, { body, signal });

/** What an agent remembers of users. */
export const pageOfMemory = (
  body: MemoryPageBody,
  signal: AbortSignal,
): Promise<Page<MemoryEntry>> => call(memoryRoutes.page, { body, signal });

export const updateMemory = (body: MemoryUpdateBody): Promise<MemoryEntry> =>
  call(memoryRoutes.update, { body });

export const deleteMemory = (id: number): Promise<{ deleted: number }> =>
  call(memoryRoutes.delete, { body: { ids: [id] } });

/** Crews, to see in which an agent has a place. */
export async function listCrews(signal: AbortSignal): Promise<Crew[]> {
  const body = { page: 1, size: MAX_PAGE_SIZE };
  return (await call(crewRoutes.page, { body, signal })).list;
}

export const listChannels = (signal?: AbortSignal): Promise<ChannelListItem[]> =>
  call(channelRoutes.list, { body: {}, ...(signal ? { signal } : {}) });

export const listSkills = (signal: AbortSignal): Promise<SkillListItem[]> =>
  call(skillRoutes.list, { body: {}, signal });

export const listDrivers = (signal: AbortSignal): Promise<SandboxDriver[]> =>
  call(sandboxRoutes.drivers, { body: {}, signal });

/** The profiles that a driver's service offers. */
export const listProfiles = (driver: BooterKind, signal: AbortSignal): Promise<SandboxProfile[]> =>
  call(sandboxRoutes.profiles, { body: { driver }, signal });
