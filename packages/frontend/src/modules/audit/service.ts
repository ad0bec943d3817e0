import {
  auditRoutes,
  type AuditExportBody,
  type AuditPageBody,
  type AuditRow,
  type Page,
} from '@netaclaw/contracts';
import { call, send } from '../../request.js';

export const pageOfAudit = (body: AuditPageBody, signal: AbortSignal): Promise<Page<AuditRow>> =>
  call(auditRoutes.page, { body, signal });

/** The rows that the filters leave, as CSV. */
export async function auditCsv(body: AuditExportBody): Promise<Blob> {
  const response = await send(auditRoutes.export, { body });
  return response.blob();
}
