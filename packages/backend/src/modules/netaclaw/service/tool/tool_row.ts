import type { ToolRow, ToolUpdateBody } from '@netaclaw/contracts';
import type { NetaClawToolEntity } from '../../entity/tool.js';

/** A row as the API shows it. */
export const toolRowOf = (row: NetaClawToolEntity): ToolRow => ({
  id: row.id,
  name: row.name,
  label: row.label,
  toolset: row.toolset,
  description: row.description,
  visibility: row.visibility ?? 'tool',
  capability: row.capability ?? 'text',
  status: row.status,
  isCore: row.isCore,
  canDisable: row.canDisable,
  promptHint: row.promptHint,
  sort: row.sort,
  extra: row.extra,
  source: row.source,
  catalogState: row.catalogState,
  version: row.version,
  createTime: row.createTime.toISOString(),
  updateTime: row.updateTime.toISOString(),
});

/** The operator fields that a body sets; what it leaves out stays. */
export function operatorFields(body: ToolUpdateBody): Partial<NetaClawToolEntity> {
  const { id: _id, version: _version, ...fields } = body;
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
