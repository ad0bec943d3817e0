import { auditActionSchema, type AuditExportBody, type AuditPageBody } from '@netaclaw/contracts';
import type { Column, Filter } from '../../components/column.js';

export const auditColumns: readonly Column[] = [
  { key: 'at', label: 'auditLog.at', sortable: true, width: 160 },
  { key: 'actor', label: 'auditLog.actor', sortable: true, minWidth: 110 },
  { key: 'action', label: 'auditLog.action', sortable: true, minWidth: 130 },
  { key: 'target', label: 'auditLog.target', sortable: true, minWidth: 150 },
  { key: 'changes', label: 'auditLog.changes', minWidth: 200 },
  { key: 'ip', label: 'auditLog.ip', width: 115 },
];

/** The filters above the log, with their choices in the language of the moment. */
export const auditFilters = (t: (key: string) => string): readonly Filter[] => [
  { key: 'actor', label: 'auditLog.actorName', kind: 'text' },
  {
    key: 'action',
    label: 'auditLog.action',
    kind: 'select',
    choices: auditActionSchema.options.map((value) => ({
      value,
      label: t(`auditAction.${value}`),
    })),
  },
  { key: 'target', label: 'auditLog.targetName', kind: 'text' },
];

/** What a page's filters ask of an export, which knows neither pages nor order. */
export const exportBodyOf = ({
  actor,
  action,
  target,
  from,
  to,
}: AuditPageBody): AuditExportBody => ({ actor, action, target, from, to });
