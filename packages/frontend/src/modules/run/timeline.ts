import type { RunDetail, RunEvent, ToolStatus, Usage } from '@netaclaw/contracts';

interface Span {
  /** Milliseconds from the start of the run. */
  start: number;
  duration: number;
}

/** One call of the model. */
export interface ModelStep extends Span {
  kind: 'model';
  /** Counts from 1, notes on older turns apart. */
  number: number;
  usage: Usage;
  /** Which model answered, when it is not the run's own. */
  otherModel: string | null;
  /** Made notes on older turns; no step of the turn itself. */
  isSummary: boolean;
}

/** One call of a tool; without a status it is still under way, or the run ended before its result. */
export interface ToolStep extends Span {
  kind: 'tool';
  id: string;
  name: string;
  arguments: string;
  status: ToolStatus | null;
  preview: string | null;
}

/** A member of a crew at work, in a run of its own. */
export interface DelegateStep extends Span {
  kind: 'delegate';
  member: string;
  childRunId: string;
  status: string | null;
}

export type Step = ModelStep | ToolStep | DelegateStep;

/** What a run did when; `total` is the length that all bars are drawn against. */
export interface Timeline {
  steps: Step[];
  total: number;
}

type Facts = Pick<RunDetail, 'startedAt' | 'endedAt' | 'events' | 'model'>;

/** The steps of a run in the order they began. `now` ends what has no end yet. */
export function timelineOf({ startedAt, endedAt, events, model }: Facts, now: number): Timeline {
  const origin = Date.parse(startedAt);
  const end = (endedAt === null ? now : Date.parse(endedAt)) - origin;
  const since = (event: RunEvent): number => Math.max(0, Date.parse(event.at) - origin);
  const steps = [
    ...modelSteps(events, { since, model }),
    ...toolSteps(events, { since, end }),
    ...delegateSteps(events, { since, end }),
  ].toSorted((one, other) => one.start - other.start);
  const last = Math.max(0, ...steps.map(({ start, duration }) => start + duration));
  return { steps, total: Math.max(1, end, last) };
}

/** What all reasoning of a run comes to. */
export const reasoningOf = (events: readonly RunEvent[]): string =>
  events.map((event) => (event.type === 'reasoning-delta' ? event.text : '')).join('');

type Since = (event: RunEvent) => number;

/** An event `usage` comes when its call has ended. */
function modelSteps(
  events: readonly RunEvent[],
  { since, model }: { since: Since; model: string },
): ModelStep[] {
  const counts = { summary: 0, turn: 0 };
  return events
    .filter((event) => event.type === 'usage')
    .map((event) => {
      const { inputTokens, outputTokens, totalTokens, durationMs } = event;
      const isSummary = event.purpose === 'summary';
      const start = Math.max(0, since(event) - durationMs);
      const usage = { inputTokens, outputTokens, totalTokens };
      return {
        kind: 'model',
        number: (counts[isSummary ? 'summary' : 'turn'] += 1),
        start,
        duration: durationMs,
        usage,
        otherModel: event.model === undefined || event.model === model ? null : event.model,
        isSummary,
      };
    });
}

/** A result says how long its call took; calls of one round are announced before the first runs. */
function toolSteps(
  events: readonly RunEvent[],
  { since, end }: { since: Since; end: number },
): ToolStep[] {
  return events
    .filter((event) => event.type === 'tool-call')
    .map((event) => {
      const { id, name } = event;
      const call = { kind: 'tool' as const, id, name, arguments: event.arguments };
      const result = events.find((other) => other.type === 'tool-result' && other.id === id);
      if (result?.type !== 'tool-result') {
        const start = since(event);
        return { ...call, status: null, preview: null, start, duration: Math.max(0, end - start) };
      }
      const { status, preview, durationMs: duration } = result;
      const start = Math.max(since(event), since(result) - duration);
      return { ...call, status, preview, start, duration };
    });
}

function delegateSteps(
  events: readonly RunEvent[],
  { since, end }: { since: Since; end: number },
): DelegateStep[] {
  return events
    .filter((event) => event.type === 'delegate-start')
    .map((event) => {
      const { childRunId, member } = event;
      const done = events.find(
        (other) => other.type === 'delegate-end' && other.childRunId === childRunId,
      );
      const start = since(event);
      const status = done?.type === 'delegate-end' ? done.status : null;
      const duration = Math.max(0, (done ? since(done) : end) - start);
      return { kind: 'delegate', member, childRunId, status, start, duration };
    });
}
