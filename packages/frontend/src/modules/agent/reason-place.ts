import type { DisabledReason } from '@netaclaw/contracts';
import type { AgentTab } from './agent-draft.js';

/** Where a reason can be changed: a tab of the agent's editor, another page, or nowhere here. */
export type Place = { tab: AgentTab } | { path: string } | null;

/** The place that changes why a tool is missing. */
export function placeOf(reason: DisabledReason, tool: string): Place {
  switch (reason) {
    case 'global_disabled':
    case 'schema_rejected':
    case 'name_conflict':
    case 'source_unavailable':
      return { path: `/agent/tools?tool=${encodeURIComponent(tool)}` };
    case 'not_in_catalog':
    case 'agent_disabled':
      return { tab: 'tools' };
    case 'capability_mismatch':
      return { tab: 'model' };
    case 'memory_off':
      return { tab: 'memory' };
    case 'no_skills':
      return { tab: 'skills' };
    case 'no_computer':
    case 'sandbox_capability_missing':
      return { tab: 'sandbox' };
    case 'not_crew_master':
    case 'admin_only':
    case 'caller_removed':
      return null;
    default:
      return reason satisfies never;
  }
}
