import type { Agent, AgentConfig } from '@netaclaw/contracts';

/** What an editor changes of an agent. */
export const agentKeys = [
  'name',
  'label',
  'description',
  'status',
  'systemPrompt',
  'channelId',
  'capability',
  'toolsets',
  'tools',
  'skills',
  'pinnedSkills',
  'memory',
  'runtime',
  'sandbox',
  'limits',
] as const satisfies readonly (keyof AgentConfig)[];

export const agentDraftOf = (agent: Agent): AgentConfig => ({
  name: agent.name,
  label: agent.label,
  description: agent.description,
  status: agent.status,
  systemPrompt: agent.systemPrompt,
  channelId: agent.channelId,
  capability: agent.capability,
  toolsets: agent.toolsets,
  tools: agent.tools,
  skills: agent.skills,
  pinnedSkills: agent.pinnedSkills,
  memory: agent.memory,
  runtime: agent.runtime,
  sandbox: agent.sandbox,
  limits: agent.limits,
});

/** What an agent begins as; the same as the server would add for a name alone. */
export const blankAgent: Agent = {
  id: 0,
  version: 1,
  createTime: '',
  updateTime: '',
  name: '',
  label: '',
  description: '',
  status: 1,
  systemPrompt: '',
  channelId: null,
  capability: null,
  toolsets: null,
  tools: {},
  skills: [],
  pinnedSkills: [],
  memory: { enabled: false },
  runtime: 'none',
  sandbox: null,
  limits: {},
};

export const agentTabs = [
  'basics',
  'model',
  'tools',
  'skills',
  'memory',
  'sandbox',
  'preview',
] as const;
export type AgentTab = (typeof agentTabs)[number];
export const toTab = (value: unknown): AgentTab =>
  agentTabs.find((tab) => tab === value) ?? 'basics';
