import type { ToolCall, ToolMessage, ToolStatus } from '@netaclaw/contracts';
import type { AgentTool, Clock, ParsedArguments, SpillResult, ToolOutput } from './port.js';
import { capResult, isTooLong, MAX_RESULT_BYTES } from './result_cap.js';
import type { ToolSet } from './tool_set.js';

/** Milliseconds for a tool that sets no limit of its own. */
const DEFAULT_TOOL_TIMEOUT_MS = 120_000;

export interface StepFacilities {
  tools: ToolSet;
  clock: Clock;
  spill: SpillResult;
  /** Aborted when the run is cancelled or out of time. */
  signal: AbortSignal;
  /** When the run must be over, in the clock's time. */
  deadline: number;
}

/** One finished call: what the model reads, what the log says. */
export interface StepResult {
  message: ToolMessage;
  durationMs: number;
  /** What two equal calls have in common: the result without the place it was spilled to. */
  gist: string;
  /** Set when this result ends the run with a reply of its own. */
  reply?: string;
}

type Prepared =
  | { ready: true; tool: AgentTool; input: unknown }
  | { ready: false; status: ToolStatus; content: string };

interface Executed {
  status: ToolStatus;
  content: string;
  reply?: string;
}

/** One tool call from request to result: prepare, execute, finalize. Never throws; always one result. */
export async function runToolCall(call: ToolCall, facilities: StepFacilities): Promise<StepResult> {
  const startedAt = facilities.clock();
  const prepared = prepare(call, facilities.tools);
  const executed = prepared.ready ? await execute(call, prepared, facilities) : prepared;
  const maxBytes = (prepared.ready ? prepared.tool.maxResultBytes : null) ?? MAX_RESULT_BYTES;
  const message = await finalize(call, { ...executed, maxBytes }, facilities);
  const isCut = isTooLong(executed.content, maxBytes);
  return {
    message,
    gist: isCut ? capResult(executed.content, null, maxBytes) : message.content,
    durationMs: facilities.clock() - startedAt,
    ...('reply' in executed && executed.reply !== undefined ? { reply: executed.reply } : {}),
  };
}

/** A name outside the set is refused; arguments that do not parse or fit become a readable error. */
export function prepare(call: ToolCall, tools: ToolSet): Prepared {
  const tool = tools.get(call.name);
  if (!tool) return { ready: false, status: 'refused', content: tools.refusal(call.name) };
  const json = parseArguments(call.arguments);
  if (!json.ok) return { ready: false, status: 'error', content: json.problem };
  const parsed = parseQuietly(tool, json.value);
  if (parsed.ok) return { ready: true, tool, input: parsed.value };
  return {
    ready: false,
    status: 'error',
    content: `The arguments of ${call.name} do not fit: ${parsed.problem}. Correct them and call again.`,
  };
}

/** A schema that cannot be asked is the tool's fault, and costs this call only. */
function parseQuietly(tool: AgentTool, value: unknown): ParsedArguments {
  try {
    return tool.parse(value);
  } catch (error) {
    return {
      ok: false,
      problem: error instanceof Error ? error.message : 'they cannot be checked',
    };
  }
}

function parseArguments(
  text: string,
): { ok: true; value: unknown } | { ok: false; problem: string } {
  try {
    return { ok: true, value: JSON.parse(text.trim() === '' ? '{}' : text) };
  } catch (error) {
    const why = error instanceof Error ? error.message : 'unreadable';
    return {
      ok: false,
      problem: `The arguments are not valid JSON (${why}). Write one JSON object and call again.`,
    };
  }
}

/** Runs the tool against one deadline: the smallest of its own limit and what the run has left. */
async function execute(
  call: ToolCall,
  { tool, input }: Extract<Prepared, { ready: true }>,
  facilities: StepFacilities,
): Promise<Executed> {
  const left = Math.max(0, facilities.deadline - facilities.clock());
  const timeoutMs = Math.min(tool.timeoutMs ?? DEFAULT_TOOL_TIMEOUT_MS, left);
  const limit = startLimit(facilities.signal, timeoutMs);
  try {
    // What is over before it began has no effect: a tool need not look at the signal first.
    const over = limit.verdict();
    if (over) return over;
    const output = tool.execute(input, { callId: call.id, signal: limit.signal, timeoutMs });
    return await Promise.race([output.then(fromOutput), limit.reached]);
  } catch (error) {
    // A tool that noticed the abort first says so with an error of its own: the limit is the cause.
    return limit.verdict() ?? { status: 'error', content: sentenceOf(call, error) };
  } finally {
    limit.clear();
  }
}

interface Limit {
  signal: AbortSignal;
  /** Resolves when the limit strikes, though the tool may not heed the signal. */
  reached: Promise<Executed>;
  verdict(): Executed | null;
  clear(): void;
}

function startLimit(run: AbortSignal, timeoutMs: number): Limit {
  const controller = new AbortController();
  let verdict: Executed | null = null;
  let strike: (executed: Executed) => void = () => {};
  const reached = new Promise<Executed>((resolve) => (strike = resolve));
  const end = (executed: Executed): void => {
    verdict ??= executed;
    controller.abort(new Error(executed.content));
    strike(verdict);
  };
  const onCancel = (): void =>
    end({ status: 'cancelled', content: 'Cancelled: the run was stopped.' });
  const onTimeout = (): void =>
    end({
      status: 'timeout',
      content: `No result within ${timeoutMs} ms; the call was ended.`,
    });
  const timer = setTimeout(onTimeout, timeoutMs);
  if (run.aborted) onCancel();
  else if (timeoutMs === 0) onTimeout();
  run.addEventListener('abort', onCancel, { once: true });
  return {
    signal: controller.signal,
    reached,
    verdict: () => verdict,
    clear() {
      clearTimeout(timer);
      run.removeEventListener('abort', onCancel);
    },
  };
}

const fromOutput = ({ status, content, reply }: ToolOutput): Executed => ({
  status,
  content,
  ...(reply === undefined ? {} : { reply }),
});

function sentenceOf(call: ToolCall, error: unknown): string {
  const message =
    error instanceof Error && error.message !== '' ? error.message : 'it gave no reason';
  return `${call.name} failed: ${message}`;
}

/** Holds the result to its limit and puts it into the form that is sent and stored. */
async function finalize(
  call: ToolCall,
  { status, content, maxBytes }: Executed & { maxBytes: number },
  { spill }: StepFacilities,
): Promise<ToolMessage> {
  const text = isTooLong(content, maxBytes)
    ? capResult(content, await spillQuietly(spill, call, content), maxBytes)
    : content;
  return { role: 'tool', toolCallId: call.id, name: call.name, content: text, status };
}

/** A full disk must not cost the result that was already there. */
async function spillQuietly(
  spill: SpillResult,
  call: ToolCall,
  text: string,
): Promise<string | null> {
  try {
    return await spill(call, text);
  } catch {
    return null;
  }
}
