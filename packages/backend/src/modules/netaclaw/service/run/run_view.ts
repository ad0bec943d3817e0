import {
  agentSkillsSchema,
  modelCapabilitySchema,
  promptLayerSchema,
  disabledToolSchema,
  runEventBodySchema,
  runStatusSchema,
  type ChatToolCall,
  type Message,
  type Run,
  type RunDetail,
  type RunEvent,
  type RunEventBody,
  type RunListItem,
} from '@netaclaw/contracts';
import { z } from 'zod';
import type { NetaClawRunEntity } from '../../entity/run.js';
import { arrange } from './prompt_layers.js';
import { parseMessages } from './run_store.js';

/** What a snapshot row holds; see `AgentContext.record`. */
const snapshotSchema = z.object({
  toolNames: z.array(z.string()),
  disabledReasons: z.array(disabledToolSchema),
  warnings: z.array(z.string()),
  modelCapability: modelCapabilitySchema,
  /** Not in the rows from before there were skills. */
  skills: agentSkillsSchema.default({ active: [], hidden: [] }),
  layers: z.array(promptLayerSchema),
});
export type Snapshot = z.infer<typeof snapshotSchema>;

const emptySnapshot: Snapshot = {
  toolNames: [],
  disabledReasons: [],
  warnings: [],
  modelCapability: { value: 'text', origin: 'fallback' },
  skills: { active: [], hidden: [] },
  layers: [],
};

export const parseSnapshot = (content: string | undefined): Snapshot =>
  content === undefined ? emptySnapshot : snapshotSchema.parse(JSON.parse(content));

const storedEventSchema = z.intersection(
  runEventBodySchema,
  z.object({ seq: z.int(), at: z.iso.datetime() }),
);
export type StoredEvent = z.infer<typeof storedEventSchema>;

/** What is stored of a run's events. One that cannot be read is left out; it costs itself, not the run. */
export function storedEventsOf({ events }: Pick<NetaClawRunEntity, 'events'>): StoredEvent[] {
  return listOf(events).flatMap((event) => {
    const parsed = storedEventSchema.safeParse(event);
    return parsed.success ? [parsed.data] : [];
  });
}

/** Whether the reply of a run that has ended is cut off at the model's limit of output. */
export const wasTruncated = (row: Pick<NetaClawRunEntity, 'events'>): boolean =>
  storedEventsOf(row).some((event) => event.type === 'run-end' && event.truncated === true);

function listOf(text: string | null): unknown[] {
  try {
    const value: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(value) ? value : [];
  } catch {
    return []; // cut off in the middle: the database was full, for example
  }
}

/** The stored events of a run, addressed. */
export const eventsOf = (row: Pick<NetaClawRunEntity, 'id' | 'sessionId' | 'events'>): RunEvent[] =>
  storedEventsOf(row).map((event) => ({ ...event, runId: row.id, sessionId: row.sessionId }));

/**
 * The events after `after`. A reader who has seen more than was stored followed a run that went with
 * its process: it is told the end.
 */
export function eventsAfter(events: readonly RunEvent[], after: number): RunEvent[] {
  const last = events.at(-1);
  if (last && after > last.seq) return [last];
  return events.filter(({ seq }) => seq > after);
}

/** A run as its owner sees it. */
export function runOf(row: NetaClawRunEntity, snapshot: Snapshot): Run {
  const messages = parseMessages(row.messages);
  const events = eventsOf(row);
  const inputTokens = row.inputTokens;
  const outputTokens = row.outputTokens;
  return {
    runId: row.id,
    sessionId: row.sessionId,
    agent: row.agent,
    crew: row.crew,
    status: runStatusSchema.parse(row.status),
    error: row.error,
    model: row.model,
    reply: replyOf(events, messages),
    toolCalls: toolCallsOf(events, messages),
    usage: { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens },
    toolNames: snapshot.toolNames,
    disabledReasons: snapshot.disabledReasons,
    startedAt: row.startedAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
  };
}

/** A run with the prompt and the events of its moment. */
export const runDetailOf = (
  row: NetaClawRunEntity,
  snapshot: Snapshot,
  children: readonly NetaClawRunEntity[],
): RunDetail => ({
  ...runOf(row, snapshot),
  owner: row.actor,
  source: row.source,
  parentRunId: row.parentRunId,
  childRuns: children.map(runListItemOf),
  layers: arrange(snapshot.layers, promptLayerSchema.array().parse(JSON.parse(row.layers))),
  warnings: snapshot.warnings,
  modelCapability: snapshot.modelCapability,
  skills: snapshot.skills,
  events: eventsOf(row),
});

export const runListItemOf = (row: NetaClawRunEntity): RunListItem => ({
  runId: row.id,
  sessionId: row.sessionId,
  parentRunId: row.parentRunId,
  agent: row.agent,
  crew: row.crew,
  owner: row.actor,
  source: row.source,
  status: row.status,
  error: row.error,
  model: row.model,
  totalTokens: row.inputTokens + row.outputTokens,
  toolCallCount: row.toolCallCount,
  startedAt: row.startedAt.toISOString(),
  endedAt: row.endedAt?.toISOString() ?? null,
});

/** The final text: that of the event `message`; without events what the model said last. */
function replyOf(events: readonly RunEvent[], messages: readonly Message[]): string {
  const event = events.findLast(({ type }) => type === 'message');
  if (event?.type === 'message') return event.text;
  const last = messages.at(-1);
  return events.length === 0 && last?.role === 'assistant' ? last.content : '';
}

/** Calls with their results; durations stand in the events. */
export function toolCallsOf(
  events: readonly RunEventBody[],
  messages: readonly Message[],
): ChatToolCall[] {
  const durations = new Map<string, number>();
  for (const event of events) {
    if (event.type === 'tool-result') durations.set(event.id, event.durationMs);
  }
  const results = new Map<string, ChatToolCall['status']>();
  for (const message of messages) {
    if (message.role === 'tool') results.set(message.toolCallId, message.status);
  }
  return messages
    .flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []))
    .map((call) => ({
      ...call,
      status: results.get(call.id) ?? 'cancelled',
      durationMs: durations.get(call.id) ?? 0,
    }));
}
