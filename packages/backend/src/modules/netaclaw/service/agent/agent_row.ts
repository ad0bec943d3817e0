import type { Agent } from '@netaclaw/contracts';
import type { NetaClawAgentEntity } from '../../entity/agent.js';

/** A row as the API shows it. */
export const agentOf = (row: NetaClawAgentEntity): Agent => ({
  id: row.id,
  name: row.name,
  label: row.label,
  description: row.description,
  systemPrompt: row.systemPrompt,
  channelId: row.channelId,
  capability: row.capability,
  toolsets: row.toolsets,
  tools: row.tools,
  skills: row.skills,
  pinnedSkills: row.pinnedSkills ?? [],
  memory: row.memory,
  runtime: row.runtime,
  sandbox: row.sandbox,
  limits: row.limits,
  status: row.status,
  version: row.version,
  createTime: row.createTime.toISOString(),
  updateTime: row.updateTime.toISOString(),
});
