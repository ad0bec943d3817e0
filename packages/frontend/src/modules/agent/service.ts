import {
  auditRoutes,
  toolRoutes,
  type AuditRow,
  type Page,
  type SyncResult,
  type ToolInfo,
  type ToolPageBody,
  type ToolRow,
  type ToolUpdateBody,
} from '@netaclaw/contracts';
import { call } from '../../request.js';

export const pageOfTools = (body: ToolPageBody, signal: AbortSignal): Promise<Page<ToolRow>> =>
  call(toolRoutes.page, { body, signal });

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
