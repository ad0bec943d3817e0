import type {
  AssistantMessage,
  ChatToolCall,
  Message,
  RunEventBody,
  ToolCall,
  ToolMessage,
  Usage,
} from '@netaclaw/contracts';
import { batchesOf } from './call_batches.js';
import { budgetBeside, fitContext, lostResult, type ContextBudget } from './history.js';
import { cutText } from './cut_text.js';
import { LoopGuard, REPEAT_NOTE } from './loop_guard.js';
import type { ChatModel, Clock, ModelAnswer, OfferedTool, SpillResult } from './port.js';
import { answerEnding, RunCancelled, RunTimedOut, sentenceOf, type Ending } from './run_ending.js';
import { findRawCalls } from './raw_calls.js';
import { runToolCall, type StepResult } from './tool_step.js';
import type { ToolSet } from './tool_set.js';
import { addUsage, NO_USAGE } from './usage.js';

/** Said in the one call that follows when the tools are used up. */
export const FINAL_INSTRUCTION =
  'The tool budget of this turn is spent: no more tools can be called. Answer now from what is there, ' +
  'and say plainly what is uncertain or was left undone.';

const PREVIEW_CHARACTERS = 2000;

/** The system prompt and the tools, as governance has them at this moment. */
export interface TurnSetup {
  /** The system prompt. One object for as long as it is the same, so that its wire form is made once. */
  system: Message;
  tools: ToolSet;
}

export interface AgentRun {
  model: ChatModel;
  /** What governance says now. Asked before every model call and before every round of tools; may reject, which fails the run. */
  setup(): Promise<TurnSetup>;
  /** Said before the conversation and never cut: what has been summarised, the activated skills. */
  preface: readonly Message[];
  /** Repaired. */
  history: readonly Message[];
  /** The messages of this turn, the user's first. The loop adds to it, so it can be stored at any time. */
  transcript: Message[];
  stream: boolean;
  maxToolIterations: number;
  budget: ContextBudget;
  clock: Clock;
  spill: SpillResult;
  /** Aborted with a `RunCancelled` or a `RunTimedOut`. */
  signal: AbortSignal;
  /** When the run must be over, in the clock's time. */
  deadline: number;
}

export interface RunOutcome extends Ending {
  usage: Usage;
  toolCalls: ChatToolCall[];
}

/**
 * One turn: model call, tool calls, again, until there is an answer, the budget is spent, or it is
 * stopped. Emits everything but `run-start`; the last event is exactly one `run-end`. Never rejects: a
 * failure is an outcome with a sentence.
 */
export async function runAgent(
  run: AgentRun,
  emit: (event: RunEventBody) => void,
): Promise<RunOutcome> {
  const loop = new AgentLoop(run, emit);
  const outcome = await loop.run();
  if (outcome.reply !== '') emit({ type: 'message', text: outcome.reply });
  emit({
    type: 'run-end',
    status: outcome.status,
    ...(outcome.error === null ? {} : { error: outcome.error }),
    ...(outcome.truncated ? { truncated: outcome.truncated } : {}),
  });
  return outcome;
}

class AgentLoop {
  private readonly guard = new LoopGuard();
  private readonly toolCalls: ChatToolCall[] = [];
  private usage = NO_USAGE;
  private rounds = 0;
  private readonly callIds = new Set<string>();
  /** Text that has been streamed and not yet stored, so that a stop in the middle keeps it. */
  private partial = '';

  constructor(
    private readonly agentRun: AgentRun,
    private readonly emit: (event: RunEventBody) => void,
  ) {}

  async run(): Promise<RunOutcome> {
    const ending = await this.untilEnd();
    return { ...ending, usage: this.usage, toolCalls: this.toolCalls };
  }

  private async untilEnd(): Promise<Ending> {
    try {
      for (;;) {
        const ending = await this.round();
        if (ending) return ending;
      }
    } catch (error) {
      return this.endOf(error);
    }
  }

  /** One model call and the tools it asks for; null to go on. */
  private async round(): Promise<Ending | null> {
    const { tools, system } = await this.agentRun.setup();
    const isFinal = this.guard.stopped || this.rounds >= this.agentRun.maxToolIterations;
    const answer = await this.ask(system, isFinal ? null : tools.offered);
    const made = isFinal ? answer.message : this.withRawCalls(answer.message, tools);
    const message = this.withUniqueIds(made);
    this.agentRun.transcript.push(message);
    this.partial = '';
    const calls = message.toolCalls ?? [];
    if (isFinal) return this.finalEnding(message, calls);
    if (calls.length === 0) return answerEnding(answer, message);
    this.rounds += 1;
    const reply = await this.callTools(calls);
    return reply === null ? null : { status: 'completed', error: null, reply };
  }

  /** One model call. `tools` null: the last one, without tools and with the instruction to answer. */
  private async ask(system: Message, tools: readonly OfferedTool[] | null): Promise<ModelAnswer> {
    const { model, stream, signal, clock } = this.agentRun;
    const startedAt = clock();
    const request = {
      messages: this.messagesFor(system, tools),
      always: 1 + this.agentRun.preface.length,
      tools: tools ?? [],
      stream,
      roundsDone: this.rounds,
    };
    for await (const event of model.call(request, signal)) {
      if (event.type === 'answer') {
        const durationMs = clock() - startedAt;
        this.count(event.answer.usage, { durationMs, model: event.model ?? model.name });
        return event.answer;
      }
      if (event.type === 'text-delta') this.partial += event.text;
      this.emit(event);
    }
    throw new Error('The model ended without an answer.');
  }

  private messagesFor(system: Message, tools: readonly OfferedTool[] | null): Message[] {
    const { preface, history, transcript } = this.agentRun;
    const always = [system, ...preface];
    const budget = budgetBeside(this.agentRun.budget, always, tools ?? []);
    const messages = [...always, ...fitContext([...history, ...transcript], budget)];
    if (tools === null) messages.push({ role: 'system', content: FINAL_INSTRUCTION });
    return messages;
  }

  private count(usage: Usage, call: { durationMs: number; model: string }): void {
    this.usage = addUsage(this.usage, usage);
    this.emit({ type: 'usage', ...usage, ...call });
  }

  /** Calls that were printed instead of made become calls. */
  private withRawCalls(message: AssistantMessage, tools: ToolSet): AssistantMessage {
    if (message.toolCalls?.length) return message;
    const found = findRawCalls(
      message.content,
      (name) => tools.get(name) !== undefined,
      (index) => `call_text_${index + 1}`,
    );
    return found ? { ...message, content: found.text, toolCalls: found.calls } : message;
  }

  /** Some servers give every answer's calls the same ids; a run's are unique, so that each has its one result. */
  private withUniqueIds(message: AssistantMessage): AssistantMessage {
    const { toolCalls = [] } = message;
    if (toolCalls.length === 0) return message;
    const unique = toolCalls.map((call) => {
      let id = call.id;
      for (let copy = 2; this.callIds.has(id); copy += 1) id = `${call.id}_${copy}`;
      this.callIds.add(id);
      return id === call.id ? call : { ...call, id };
    });
    return { ...message, toolCalls: unique };
  }

  /** Executes the calls of one answer; results stand in call order. A reply of a tool's own, or null. */
  private async callTools(calls: readonly ToolCall[]): Promise<string | null> {
    for (const { id, name, arguments: text } of calls) {
      this.emit({ type: 'tool-call', id, name, arguments: text });
    }
    const { tools } = await this.agentRun.setup();
    const results: StepResult[] = [];
    for (const batch of batchesOf(calls, tools)) {
      results.push(...(await Promise.all(batch.map((call) => this.callTool(call, tools)))));
    }
    for (const [index, result] of results.entries()) this.store(calls[index], result);
    this.agentRun.signal.throwIfAborted();
    return this.replyOf(results);
  }

  /** What tools say to the user in the agent's place, kept as the agent's words. */
  private replyOf(results: readonly StepResult[]): string | null {
    const replies = results.flatMap(({ reply }) => (reply === undefined ? [] : [reply]));
    if (replies.length === 0) return null;
    const content = replies.join('\n\n');
    this.agentRun.transcript.push({ role: 'assistant', content });
    return content;
  }

  private async callTool(call: ToolCall, tools: ToolSet): Promise<StepResult> {
    const { clock, spill, signal, deadline } = this.agentRun;
    const result = await runToolCall(call, { tools, clock, spill, signal, deadline });
    const { status, content } = result.message;
    const preview = cutText(content, PREVIEW_CHARACTERS);
    this.emit({
      type: 'tool-result',
      id: call.id,
      name: call.name,
      status,
      durationMs: result.durationMs,
      preview,
    });
    return result;
  }

  private store(call: ToolCall | undefined, { message, gist, durationMs }: StepResult): void {
    if (!call) return;
    const { status, content } = message;
    const refused = status === 'refused';
    const verdict = this.guard.see({ ...call, result: gist, refused });
    const noted =
      verdict === 'note' ? { ...message, content: `${content}\n\n${REPEAT_NOTE}` } : message;
    this.agentRun.transcript.push(noted);
    this.toolCalls.push({ ...call, status, durationMs });
  }

  /** Calls in the last answer are answered, not executed. */
  private finalEnding(message: AssistantMessage, calls: readonly ToolCall[]): Ending {
    for (const call of calls) this.answerUnexecuted(call);
    const error =
      message.content.trim() === ''
        ? 'The tool budget is spent and the model gave no answer.'
        : null;
    return { status: 'limit', error, reply: message.content };
  }

  private answerUnexecuted(call: ToolCall): void {
    const content = 'Not executed: the tool budget of this turn was spent.';
    const { id, name } = call;
    this.emit({ type: 'tool-call', ...call });
    this.answerWith(call, { role: 'tool', toolCallId: id, name, content, status: 'refused' });
  }

  /** The result of a call that no tool gave. */
  private answerWith(call: ToolCall, result: ToolMessage): void {
    const { status, content } = result;
    const { id, name } = call;
    this.emit({ type: 'tool-result', id, name, status, durationMs: 0, preview: content });
    this.agentRun.transcript.push(result);
    this.toolCalls.push({ ...call, status, durationMs: 0 });
  }

  /** A stop or a failure in the middle: what was said is kept, every open call gets a result. */
  private endOf(error: unknown): Ending {
    const { transcript, signal } = this.agentRun;
    const reply = this.partial;
    if (reply !== '') transcript.push({ role: 'assistant', content: reply });
    this.closeOpenCalls();
    if (signal.reason instanceof RunCancelled) return { status: 'cancelled', error: null, reply };
    if (signal.reason instanceof RunTimedOut) {
      return { status: 'failed', error: signal.reason.message, reply };
    }
    return { status: 'failed', error: sentenceOf(error), reply };
  }

  private closeOpenCalls(): void {
    const { transcript } = this.agentRun;
    const last = transcript.findLast((message) => message.role === 'assistant');
    const answered = new Set(
      transcript.flatMap((message) => (message.role === 'tool' ? [message.toolCallId] : [])),
    );
    for (const call of last?.toolCalls ?? []) {
      if (!answered.has(call.id)) this.answerWith(call, lostResult(call));
    }
  }
}
