import {
  agentAddBodySchema,
  agentSchema,
  agentUpdateBodySchema,
  type Agent,
  type AgentConfig,
} from '@netaclaw/contracts';
import { useEditor, type Editor } from '../../composables/use-editor.js';
import { agentDraftOf, agentKeys, blankAgent } from './agent-draft.js';
import { addAgent, updateAgent } from './service.js';

export type AgentEditor = Editor<Agent, AgentConfig>;

/** Edits an agent, or adds one when there is none yet. */
export function useAgentEditor(agent: Agent | null): AgentEditor {
  const common = { pick: agentDraftOf, keys: agentKeys, rowSchema: agentSchema };
  if (agent) {
    return useEditor({
      ...common,
      row: agent,
      bodySchema: agentUpdateBodySchema,
      bodyOf: (changes, { id, version }) => ({ id, version, ...changes }),
      save: updateAgent,
    });
  }
  return useEditor({
    ...common,
    row: blankAgent,
    bodySchema: agentAddBodySchema,
    bodyOf: (changes) => ({ name: '', ...changes }),
    save: addAgent,
  });
}
