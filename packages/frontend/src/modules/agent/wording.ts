import { namedFields, readable, statusWord, type Wording } from '../../components/readable.js';

type Translate = (key: string) => string;

const limitNames = {
  maxToolIterations: 'agent.limit.maxToolIterations',
  maxContextMessages: 'agent.limit.maxContextMessages',
  runTimeoutMs: 'agent.limit.runTimeoutMs',
  summarizeHistory: 'agent.summarizeHistory',
  maxSandboxes: 'agent.limit.maxSandboxes',
};
const sandboxNames = { driver: 'agent.driver', profile: 'agent.profile' };
const extraNames = {
  note: 'tool.extraFields.note',
  owner: 'tool.extraFields.owner',
  link: 'tool.extraFields.link',
  tags: 'tool.extraFields.tags',
};

/** How the fields of an agent read, for people. `channelName` knows the channels that there are. */
export function agentWording(t: Translate, channelName: (id: number) => string): Wording {
  const words: Record<string, (value: unknown) => string> = {
    status: (value) => statusWord(value, t),
    channelId: (value) => (typeof value === 'number' ? channelName(value) : t('agent.noChannel')),
    capability: (value) =>
      t(value === null ? 'agent.capabilityOfChannel' : `capability.${String(value)}`),
    toolsets: (value) => (Array.isArray(value) ? toolsetWords(value, t) : t('agent.defaults')),
    tools: (value) => readable(fieldOf(value, 'disabled'), t),
    memory: (value) => readable(fieldOf(value, 'enabled'), t),
    runtime: (value) => t(`runtime.${String(value)}`),
    sandbox: (value) => namedFields(value, sandboxNames, t),
    limits: (value) => namedFields(value, limitNames, t),
  };
  return (key, value) => words[key]?.(value);
}

/** How the fields of a tool read; a text that is not overridden is the code's. */
export function toolWording(t: Translate): Wording {
  const ofCode = (value: unknown) => (value === null ? t('tool.codeUsed') : undefined);
  return (key, value) => {
    if (key === 'status') return statusWord(value, t);
    if (key === 'extra') return namedFields(value, extraNames, t);
    return key === 'description' || key === 'promptHint' ? ofCode(value) : undefined;
  };
}

const toolsetWords = (names: readonly unknown[], t: Translate): string =>
  names.map((name) => t(`toolset.${String(name)}`)).join(', ') || t('agent.noToolsets');

function fieldOf(value: unknown, name: string): unknown {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return entries.find(([key]) => key === name)?.[1];
}
