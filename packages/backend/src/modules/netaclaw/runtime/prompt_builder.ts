import type { LayerKey, LayerOrigin, PromptLayer } from '@netaclaw/contracts';
import { estimateTokens } from './estimate.js';

/** The platform's fixed identity. */
const IDENTITY =
  'You are an agent of NetaClaw. You do the work yourself with the tools you are given, you say what you did and ' +
  'what you found, and you never claim an action that no tool result confirms.';

const TOOL_FAILURE_GUIDANCE = `## Tool failure guidance
- When the same kind of tool fails repeatedly, stop varying the query.
- Use what is already there, and say what is uncertain.
- Give the part that is confirmed rather than nothing.`;

/** What the session section tells; what is unset is left out. */
export interface SessionFacts {
  sessionId?: string | null;
  source?: string | null;
  model?: string | null;
  user?: string | null;
  channel?: string | null;
  chatId?: string | null;
  parentSession?: string | null;
}

export interface PromptFacts {
  /** The agent's system prompt. */
  profile: string;
  session: SessionFacts;
  /** What a task, a crew or a schedule passes along. */
  executionContext?: string | null;
  /** Guidance of resolved tools, in their order. */
  toolHints: readonly { name: string; hint: string }[];
  /** Prompt parts of the agent's computer. */
  computerPrompts: readonly string[];
  /** Frozen memory sections. */
  memory: readonly string[];
  /** Further guidance sections. */
  guidance: readonly string[];
}

/** The moment a run begins, and the zone of the place it runs in. */
export interface Moment {
  now: Date;
  timeZone: string;
}

/** Layers one to six: the same as long as their facts are, so that a provider's prompt cache keeps them. */
export function buildLastingLayers(facts: PromptFacts): PromptLayer[] {
  return [
    layer('identity', IDENTITY),
    layer('profile', facts.profile.trim()),
    layer('context', contextText(facts)),
    layer('tools', toolsText(facts)),
    layer('memory', facts.memory.join('\n\n')),
    layer('guidance', [...facts.guidance, TOOL_FAILURE_GUIDANCE].join('\n\n')),
  ].filter(({ content }) => content !== '');
}

/** Layer seven: the time. */
export function buildRuntimeLayer({ now, timeZone }: Moment): PromptLayer {
  const local = localTime(now, timeZone);
  return layer(
    'runtime',
    `# Time\n- UTC: ${now.toISOString()}\n- Local: ${local}\n- Time zone: ${timeZone}`,
  );
}

let lastLocal = { second: 0, timeZone: '', text: '' };

/** Many runs begin in one second: its text is made once. */
function localTime(now: Date, timeZone: string): string {
  const second = Math.floor(now.getTime() / 1000);
  if (lastLocal.second !== second || lastLocal.timeZone !== timeZone) {
    lastLocal = { second, timeZone, text: formatterFor(timeZone).format(now) };
  }
  return lastLocal.text;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Making a formatter costs more than all the rest of a prompt, so each zone's is kept. */
function formatterFor(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('sv-SE', {
    dateStyle: 'short',
    timeStyle: 'medium',
    timeZone,
  });
  formatters.set(timeZone, made);
  return made;
}

/** The system prompt of these layers. */
export const joinLayers = (layers: readonly PromptLayer[]): string =>
  layers.map(({ content }) => content).join('\n\n');

const titles: Record<LayerKey, { title: string; origin: LayerOrigin }> = {
  identity: { title: 'Identity', origin: 'platform' },
  profile: { title: 'Agent profile', origin: 'agent' },
  context: { title: 'Context', origin: 'session' },
  tools: { title: 'Tools', origin: 'tools' },
  memory: { title: 'Memory', origin: 'memory' },
  guidance: { title: 'Guidance', origin: 'platform' },
  runtime: { title: 'Time', origin: 'clock' },
};

const layer = (key: LayerKey, content: string): PromptLayer => ({
  key,
  ...titles[key],
  content,
  tokens: estimateTokens(content),
});

const sessionLines: readonly [keyof SessionFacts, string][] = [
  ['sessionId', 'Session id'],
  ['source', 'Source'],
  ['model', 'Model'],
  ['user', 'User'],
  ['channel', 'Channel'],
  ['chatId', 'Chat id'],
  ['parentSession', 'Parent session'],
];

function contextText({ session, executionContext }: PromptFacts): string {
  const lines = sessionLines.flatMap(([key, name]) =>
    session[key] ? [`- ${name}: ${oneLine(session[key])}`] : [],
  );
  const sections = [];
  if (lines.length > 0) sections.push(`# Session\n${lines.join('\n')}`);
  if (executionContext) sections.push(`# Execution Context\n${executionContext}`);
  return sections.join('\n\n');
}

/** A name with a line break in it must not add lines to the prompt. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');

function toolsText({ toolHints, computerPrompts }: PromptFacts): string {
  const hints = toolHints.map(({ name, hint }) => `## ${name}\n${hint.trim()}`);
  const sections = hints.length > 0 ? ['# Tools', ...hints] : [];
  return [...sections, ...computerPrompts].join('\n\n');
}
