import type {
  DisabledTool,
  EndStatus,
  Part,
  RunEvent,
  SessionMessage,
  SessionTurn,
  ToolStatus,
} from '@netaclaw/contracts';

/** One call of a tool as its card shows it. */
export interface ToolItem {
  kind: 'tool';
  id: string;
  name: string;
  arguments: string;
  status: ToolStatus | 'running';
  durationMs: number | null;
  preview: string;
  /** The run of the member that it delegates to; null: none, or it is not known. */
  childRunId: string | null;
}
export interface TextItem {
  kind: 'text' | 'reasoning';
  text: string;
}
/** A file that the agent sent. */
export interface FileItem {
  kind: 'file';
  fileId: string;
  name: string;
  size: number;
}
export type Item = ToolItem | TextItem | FileItem;

/** What an agent had in a turn. */
export interface TurnTools {
  toolNames: readonly string[];
  disabledReasons: readonly DisabledTool[];
}

/** A user's message and what came of it. */
export interface Turn {
  key: string;
  runId: string | null;
  user: string;
  files: readonly string[];
  items: readonly Item[];
  status: EndStatus | 'running';
  error: string | null;
  model: string | null;
  rehearsal: boolean;
  tools: TurnTools | null;
}

export const newTurn = (key: string, user: string, files: readonly string[]): Turn => ({
  key,
  runId: null,
  user,
  files,
  items: [],
  status: 'running',
  error: null,
  model: null,
  rehearsal: false,
  tools: null,
});

/** The turn after one more event of its run. */
export function withEvent(turn: Turn, event: RunEvent): Turn {
  const next = { ...turn, runId: event.runId };
  switch (event.type) {
    case 'run-start':
      return { ...next, model: event.model, rehearsal: event.rehearsal, tools: event };
    case 'text-delta':
      return { ...next, items: appended(turn.items, 'text', event.text) };
    case 'reasoning-delta':
      return { ...next, items: appended(turn.items, 'reasoning', event.text) };
    case 'tool-call':
      return { ...next, items: [...turn.items, calledTool(event)] };
    case 'tool-result':
      return { ...next, items: turn.items.map((item) => answered(item, event)) };
    case 'message':
      return { ...next, items: withFinalText(turn.items, event.text) };
    case 'run-end':
      return { ...next, status: event.status, error: event.error ?? null };
    case 'delegate-start':
      return { ...next, items: turn.items.map((item) => delegated(item, event)) };
    case 'file': {
      const { fileId, name, size } = event;
      return { ...next, items: [...turn.items, { kind: 'file', fileId, name, size }] };
    }
    case 'usage':
    case 'delegate-end':
      return next;
    default:
      return event satisfies never;
  }
}

/** The turns that a session's stored messages tell of. */
export function turnsOf({ messages, turns: facts, fileNames }: StoredTurns): Turn[] {
  const turns = new Map<string, Turn>();
  for (const { runId, message } of messages) {
    const turn = turns.get(runId) ?? ended(runId);
    turns.set(runId, withMessage(turn, message));
  }
  const byRun = new Map(facts.map((each) => [each.runId, each]));
  return [...turns.values()].map((turn) => {
    const files = turn.files.map((id) => fileNames[id] ?? id);
    return withFacts({ ...turn, files }, byRun.get(turn.runId ?? ''));
  });
}

/** What is stored of a session's turns. */
export interface StoredTurns {
  messages: readonly SessionMessage[];
  turns: readonly SessionTurn[];
  fileNames: Readonly<Record<string, string>>;
}

/** How it ended, how long its calls took, and the files it sent, where it sent them. */
function withFacts(turn: Turn, facts: SessionTurn | undefined): Turn {
  if (!facts) return turn;
  const { status, error, model, rehearsal, durations, files } = facts;
  const filesAfter = (id: string | null): FileItem[] =>
    files
      .filter(({ after }) => after === id)
      .map(({ fileId, name, size }) => ({ kind: 'file', fileId, name, size }));
  const items = turn.items.flatMap((item): Item[] =>
    item.kind === 'tool'
      ? [{ ...item, durationMs: durations[item.id] ?? null }, ...filesAfter(item.id)]
      : [item],
  );
  return { ...turn, status, error, model, rehearsal, items: [...filesAfter(null), ...items] };
}

const ended = (runId: string): Turn => ({ ...newTurn(runId, '', []), runId, status: 'completed' });

function withMessage(turn: Turn, message: SessionMessage['message']): Turn {
  switch (message.role) {
    case 'system':
      return turn;
    case 'user':
      return { ...turn, user: textOf(message.content), files: filesOf(message.content) };
    case 'assistant': {
      const text: Item[] = message.content ? [{ kind: 'text', text: message.content }] : [];
      const calls = (message.toolCalls ?? []).map(calledTool);
      return { ...turn, items: [...turn.items, ...text, ...calls] };
    }
    case 'tool': {
      const { toolCallId, status, content } = message;
      const result = { id: toolCallId, status, durationMs: null, preview: content };
      return { ...turn, items: turn.items.map((item) => answered(item, result)) };
    }
    default:
      return message satisfies never;
  }
}

const calledTool = (call: { id: string; name: string; arguments: string }): ToolItem => ({
  kind: 'tool',
  id: call.id,
  name: call.name,
  arguments: call.arguments,
  status: 'running',
  durationMs: null,
  preview: '',
  childRunId: null,
});

type Result = Pick<ToolItem, 'id' | 'durationMs' | 'preview'> & { status: ToolStatus };

function answered(item: Item, { id, status, durationMs, preview }: Result): Item {
  if (item.kind !== 'tool' || item.id !== id) return item;
  return { ...item, status, durationMs, preview };
}

function delegated(item: Item, event: { toolCallId: string; childRunId: string }): Item {
  if (item.kind !== 'tool' || item.id !== event.toolCallId) return item;
  return { ...item, childRunId: event.childRunId };
}

function appended(items: readonly Item[], kind: TextItem['kind'], text: string): Item[] {
  const last = items.at(-1);
  if (last?.kind !== kind) return [...items, { kind, text }];
  return [...items.slice(0, -1), { kind, text: last.text + text }];
}

/** The final text stands in place of the deltas since the last tool, whatever they were. */
function withFinalText(items: readonly Item[], text: string): Item[] {
  const lastTool = items.findLastIndex(({ kind }) => kind === 'tool');
  const kept = items.filter(({ kind }, at) => at <= lastTool || kind !== 'text');
  return text ? [...kept, { kind: 'text', text }] : kept;
}

type Content = string | readonly Part[];
const textOf = (content: Content): string =>
  typeof content === 'string'
    ? content
    : content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
const filesOf = (content: Content): string[] =>
  typeof content === 'string'
    ? []
    : content.flatMap((part) => (part.type === 'text' ? [] : [addressOf(part)]));
const addressOf = (part: Exclude<Part, { type: 'text' }>): string =>
  'fileId' in part ? part.fileId : part.url;
