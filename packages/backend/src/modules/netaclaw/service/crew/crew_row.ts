import type { Crew } from '@netaclaw/contracts';
import type { NetaClawCrewEntity } from '../../entity/crew.js';

/** A row as the API shows it. */
export const crewOf = (row: NetaClawCrewEntity): Crew => ({
  id: row.id,
  name: row.name,
  label: row.label,
  description: row.description,
  masterAgentId: row.masterAgentId,
  members: row.members,
  maxDepth: row.maxDepth,
  maxParallel: row.maxParallel,
  status: row.status,
  version: row.version,
  createTime: row.createTime.toISOString(),
  updateTime: row.updateTime.toISOString(),
});
