import type { Message, RunEventBody, ToolCall, ToolMessage } from '@netaclaw/contracts';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { toolSetOf, toolThat } from '../../../../test/tool_set_of.js';
import {
  answers,
  asks,
  hangs,
  says,
  scriptedModel,
  streams,
  throws,
  usageOf,
  type Play,
} from '../../../../test/scripted_model.js';
import {
  FINAL_INSTRUCTION,
  runAgent,
  type AgentRun,
  type RunOutcome,
  type TurnSetup,
} from './agent_loop.js';
import { REPEAT_NOTE } from './loop_guard.js';
import { ModelError, type AgentTool } from './port.js';
import { MAX_RESULT_BYTES } from './result_cap.js';
import { RunCancelled, RunTimedOut } from './run_ending.js';
import { ESTIMATE } from './tokens.js';

const system: Message = { role: 'system', content: 'You are a test.' };

interface Given {
  tools?: readonly AgentTool[];
  refusals?: Readonly<Record<string, string>>;
  run?: Partial<AgentRun>;
  controller?: AbortController;
}

interface Played {
  outcome: RunOutcome;
  events: RunEventBody[];
  transcript: Message[];
  requests: ReturnType<typeof scriptedModel>['requests'];
}

/** Runs an agent, and checks what must hold for every run. */
async function play(script: readonly Play[], given: Given = {}): Promise<Played> {
  const model = scriptedModel(...script);
  const controller = given.controller ?? new AbortController();
  const tools = toolSetOf(given.tools ?? [], given.refusals);
  const transcript: Message[] = [{ role: 'user', content: 'Go.' }];
  const events: RunEventBody[] = [];
  const run: AgentRun = {
    model,
    setup: async () => ({ system, tools }),
    preface: [],
    history: [],
    transcript,
    stream: true,
    maxToolIterations: 30,
    budget: { maxMessages: 200, maxTokens: null, meter: ESTIMATE },
    clock: Date.now,
    spill: async () => null,
    signal: controller.signal,
    deadline: Date.now() + 60_000,
    ...given.run,
  };
  const outcome = await runAgent(run, (event) => events.push(event));
  const result = { outcome, events, transcript, requests: model.requests };
  expectPromisesKept(result);
  return result;
}

const resultsIn = (messages: readonly Message[]): ToolMessage[] =>
  messages.flatMap((message) => (message.role === 'tool' ? [message] : []));
const callsIn = (messages: readonly Message[]): ToolCall[] =>
  messages.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []));
const typesOf = (events: readonly RunEventBody[]): string[] => events.map(({ type }) => type);

const echo = toolThat('echo', (input) => ({ status: 'ok', content: JSON.stringify(input) }));
const broken = toolThat('broken', () => {
  throw new Error('the disk is full');
});

/** What is promised of every run, whatever happened in it. */
function expectPromisesKept({ events, outcome, transcript }: Played): void {
  const ends = events.filter(({ type }) => type === 'run-end');
  expect(ends).toHaveLength(1);
  expect(events.at(-1)).toEqual(ends[0]);
  expect(ends[0]).toMatchObject({ status: outcome.status });
  expect(outcome.status === 'failed' ? outcome.error : 'a sentence').toMatch(/\S/);

  const calls = callsIn(transcript).map(({ id }) => id);
  expect(new Set(calls).size).toBe(calls.length);
  expect(resultsIn(transcript).map(({ toolCallId }) => toolCallId)).toEqual(calls);
  expect(outcome.toolCalls.map(({ id }) => id)).toEqual(calls);
  const idsOf = (wanted: 'tool-call' | 'tool-result') =>
    events.flatMap((event) => (event.type === wanted && 'id' in event ? [event.id] : []));
  expect(idsOf('tool-call')).toEqual(calls);
  expect(idsOf('tool-result').toSorted()).toEqual(calls.toSorted());
}

describe('an answer in words', () => {
  it('ends the run as completed', async () => {
    const { outcome, events, transcript } = await play([says('Hello.')]);
    expect(outcome).toEqual({
      status: 'completed',
      error: null,
      reply: 'Hello.',
      usage: usageOf(10, 5),
      toolCalls: [],
    });
    expect(typesOf(events)).toEqual(['usage', 'message', 'run-end']);
    expect(transcript).toEqual([
      { role: 'user', content: 'Go.' },
      { role: 'assistant', content: 'Hello.' },
    ]);
  });

  it('is streamed as it comes', async () => {
    const { events } = await play([streams(['Hel', 'lo.'], says('Hello.'))]);
    expect(events.slice(0, 2)).toEqual([
      { type: 'text-delta', text: 'Hel' },
      { type: 'text-delta', text: 'lo.' },
    ]);
  });

  it('is asked for with the system prompt, the history, the turn and the tools', async () => {
    const history: Message[] = [
      { role: 'user', content: 'Before.' },
      { role: 'assistant', content: 'Yes.' },
    ];
    const { requests } = await play([says('Hello.')], {
      tools: [echo],
      run: { history, stream: false },
    });
    expect(requests).toEqual([
      {
        messages: [system, ...history, { role: 'user', content: 'Go.' }],
        always: 1,
        tools: [{ name: 'echo', description: 'echo', parameters: {} }],
        stream: false,
        roundsDone: 0,
      },
    ]);
  });

  it.each([
    ['nothing', answers({}), 'The model answered with neither text nor a tool call.'],
    ['blanks', says(' \n'), 'The model answered with neither text nor a tool call.'],
    [
      'a filtered nothing',
      answers({ stopReason: 'content_filter' }),
      "The model's provider withheld the answer (content filter).",
    ],
  ])('that is %s fails the run with a sentence', async (_what, answer, error) => {
    const { outcome, events } = await play([answer]);
    expect(outcome).toMatchObject({ status: 'failed', error, reply: '' });
    expect(typesOf(events)).not.toContain('message');
  });
});

describe('usage', () => {
  it('is told for each model call and summed for the run', async () => {
    const first = answers({
      message: {
        role: 'assistant',
        content: '',
        toolCalls: [{ id: 'a', name: 'echo', arguments: '{}' }],
      },
      usage: usageOf(100, 20),
    });
    const { outcome, events } = await play([first, says('Done.')], { tools: [echo] });
    expect(outcome.usage).toEqual(usageOf(110, 25));
    expect(events.filter(({ type }) => type === 'usage')).toMatchObject([
      usageOf(100, 20),
      usageOf(10, 5),
    ]);
  });
});

describe('exactly one result per call id', () => {
  const picky = toolThat('picky', () => ({ status: 'ok', content: 'fits' }), {
    parse: () => ({ ok: false, problem: 'path: expected string, received number' }),
  });
  const unaskable = toolThat('unaskable', () => ({ status: 'ok', content: 'never' }), {
    parse: () => {
      throw new Error('the schema is asynchronous');
    },
  });
  const slow = toolThat('slow', () => new Promise(() => {}), { timeoutMs: 20 });
  const rows = [
    { case: 'success', name: 'echo', input: { a: 1 }, status: 'ok', says: '{"a":1}' },
    { case: 'no arguments', name: 'echo', input: '', status: 'ok', says: '{}' },
    { case: 'a failure that is thrown', name: 'broken', status: 'error', says: 'the disk is full' },
    { case: 'a refused tool', name: 'off', status: 'refused', says: 'Turned off.' },
    { case: 'an unknown tool', name: 'ghost', status: 'refused', says: 'no tool "ghost"' },
    {
      case: 'arguments that do not parse',
      name: 'echo',
      input: '{"a":',
      status: 'error',
      says: 'not valid JSON',
    },
    {
      case: 'arguments that do not fit',
      name: 'picky',
      input: { path: 1 },
      status: 'error',
      says: 'path: expected string, received number',
    },
    {
      case: 'a schema that throws',
      name: 'unaskable',
      status: 'error',
      says: 'the schema is asynchronous',
    },
    { case: 'a tool out of time', name: 'slow', status: 'timeout', says: '20 ms' },
  ];

  it.each(rows)('$case: $status', async (row) => {
    const call = { id: 'a', name: row.name, arguments: row.input ?? {} };
    const { transcript, outcome, requests } = await play([asks(call), says('Done.')], {
      tools: [echo, broken, picky, unaskable, slow],
      refusals: { off: 'off is not available here (global_disabled): Turned off.' },
    });
    expect(resultsIn(transcript)).toEqual([
      {
        role: 'tool',
        toolCallId: 'a',
        name: row.name,
        status: row.status,
        content: expect.stringContaining(row.says),
      },
    ]);
    expect(requests[1]?.messages.at(-1)).toEqual(transcript[2]);
    expect(outcome).toMatchObject({ status: 'completed', reply: 'Done.' });
  });

  it('all of them in one answer, in call order', async () => {
    const calls = rows.map((row, index) => ({
      id: `call_${index}`,
      name: row.name,
      arguments: row.input ?? {},
    }));
    const { transcript } = await play([asks(...calls), says('Done.')], {
      tools: [echo, broken, picky, unaskable, slow],
      refusals: { off: 'Turned off.' },
    });
    expect(resultsIn(transcript).map(({ status }) => status)).toEqual(
      rows.map(({ status }) => status),
    );
  });

  it('a tool that was cancelled', async () => {
    const controller = new AbortController();
    const stuck = toolThat('stuck', () => {
      controller.abort(new RunCancelled('stop'));
      return new Promise(() => {});
    });
    const { transcript } = await play([asks({ id: 'a', name: 'stuck' })], {
      tools: [stuck],
      controller,
    });
    expect(resultsIn(transcript)).toMatchObject([{ toolCallId: 'a', status: 'cancelled' }]);
  });

  it('also when a server gives every answer the same ids, and one answer twice the same', async () => {
    const same = { id: 'call_0', name: 'echo' };
    const { transcript } = await play(
      [asks({ ...same, arguments: { n: 1 } }, same), asks(same), says('Done.')],
      { tools: [echo] },
    );
    expect(callsIn(transcript).map(({ id }) => id)).toEqual(['call_0', 'call_0_2', 'call_0_3']);
    expect(resultsIn(transcript)[0]?.content).toBe('{"n":1}');
  });
});

describe('calls of one answer', () => {
  /** A tool that notes when it begins and ends. */
  const noting = (log: string[], name: string, fields: Partial<AgentTool> = {}): AgentTool =>
    toolThat(
      name,
      async (input) => {
        log.push(`${name} begins`);
        await wait(Number(input));
        log.push(`${name} ends`);
        return { status: 'ok', content: name };
      },
      fields,
    );

  it('run side by side, and their results go back in call order', async () => {
    const log: string[] = [];
    const { transcript, events } = await play(
      [
        asks({ id: '1', name: 'long', arguments: 40 }, { id: '2', name: 'short', arguments: 5 }),
        says('Done.'),
      ],
      { tools: [noting(log, 'long'), noting(log, 'short')] },
    );
    expect(log).toEqual(['long begins', 'short begins', 'short ends', 'long ends']);
    expect(resultsIn(transcript).map(({ toolCallId }) => toolCallId)).toEqual(['1', '2']);
    const told = events.flatMap((event) => (event.type === 'tool-result' ? [event.id] : []));
    expect(told).toEqual(['2', '1']);
  });

  it('a sequential tool runs alone, in its place', async () => {
    const log: string[] = [];
    const alone = noting(log, 'alone', { sequential: true });
    await play(
      [
        asks(
          { id: '1', name: 'a', arguments: 10 },
          { id: '2', name: 'b', arguments: 1 },
          { id: '3', name: 'alone', arguments: 5 },
          { id: '4', name: 'a', arguments: 1 },
          { id: '5', name: 'b', arguments: 10 },
        ),
        says('Done.'),
      ],
      { tools: [noting(log, 'a'), noting(log, 'b'), alone] },
    );
    expect(log).toEqual(
      [
        ['a begins', 'b begins', 'b ends', 'a ends'],
        ['alone begins', 'alone ends'],
        ['a begins', 'b begins', 'a ends', 'b ends'],
      ].flat(),
    );
  });
});

describe('calls printed as text', () => {
  it('become calls when they name a tool that is there', async () => {
    const printed = 'I look. <tool_call>{"name":"echo","arguments":{"a":1}}</tool_call>';
    const { transcript, outcome } = await play([says(printed), says('Done.')], { tools: [echo] });
    expect(transcript[1]).toEqual({
      role: 'assistant',
      content: 'I look.',
      toolCalls: [{ id: 'call_text_1', name: 'echo', arguments: '{"a":1}' }],
    });
    expect(resultsIn(transcript)).toMatchObject([{ status: 'ok', content: '{"a":1}' }]);
    expect(outcome.reply).toBe('Done.');
  });

  it('stay text when they name a tool that is not there', async () => {
    const printed = '<tool_call>{"name":"bash","arguments":{"command":"ls"}}</tool_call>';
    const { outcome } = await play([says(printed)], { tools: [echo] });
    expect(outcome).toMatchObject({ status: 'completed', reply: printed, toolCalls: [] });
  });

  it('stay text beside calls that were made', async () => {
    const both = answers({
      message: {
        role: 'assistant',
        content: '{"name":"echo","arguments":{}}',
        toolCalls: [{ id: 'a', name: 'echo', arguments: '{}' }],
      },
    });
    const { outcome } = await play([both, says('Done.')], { tools: [echo] });
    expect(outcome.toolCalls).toHaveLength(1);
  });
});

describe('the last call', () => {
  const unlike = (count: number): Play[] =>
    Array.from({ length: count }, (_, n) => asks({ id: `c${n}`, name: 'echo', arguments: { n } }));
  const finalRequest = {
    tools: [],
    messages: expect.arrayContaining([{ role: 'system', content: FINAL_INSTRUCTION }]),
  };

  it('comes without tools and with the instruction when the budget is spent', async () => {
    const { requests, outcome } = await play([...unlike(2), says('So far.')], {
      tools: [echo],
      run: { maxToolIterations: 2 },
    });
    expect(requests).toHaveLength(3);
    expect(requests.slice(0, 2).map(({ tools }) => tools.length)).toEqual([1, 1]);
    expect(requests[2]).toMatchObject(finalRequest);
    expect(requests[2]?.messages.at(-1)).toEqual({ role: 'system', content: FINAL_INSTRUCTION });
    expect(outcome).toMatchObject({ status: 'limit', error: null, reply: 'So far.' });
  });

  it('leaves the instruction out of what is kept', async () => {
    const { transcript } = await play([...unlike(1), says('So far.')], {
      tools: [echo],
      run: { maxToolIterations: 1 },
    });
    expect(transcript.filter(({ role }) => role === 'system')).toEqual([]);
  });

  it('answers calls in it and executes none', async () => {
    let executed = 0;
    const counted = toolThat('echo', () => {
      executed += 1;
      return { status: 'ok', content: 'x' };
    });
    const { transcript, outcome } = await play(
      [...unlike(1), asks({ id: 'late', name: 'echo' }, { id: 'later', name: 'echo' })],
      { tools: [counted], run: { maxToolIterations: 1 } },
    );
    expect(executed).toBe(1);
    expect(resultsIn(transcript).slice(1)).toMatchObject([
      { toolCallId: 'late', status: 'refused', content: expect.stringMatching(/^Not executed/) },
      { toolCallId: 'later', status: 'refused' },
    ]);
    expect(outcome).toMatchObject({
      status: 'limit',
      error: 'The tool budget is spent and the model gave no answer.',
    });
  });

  it('takes printed calls for text', async () => {
    const printed = '{"name":"echo","arguments":{}}';
    const { outcome } = await play([...unlike(1), says(printed)], {
      tools: [echo],
      run: { maxToolIterations: 1 },
    });
    expect(outcome).toMatchObject({ status: 'limit', reply: printed });
  });

  it('says that there is no answer when it is blank', async () => {
    const { outcome } = await play([...unlike(1), says('  \n')], {
      tools: [echo],
      run: { maxToolIterations: 1 },
    });
    expect(outcome.error).toBe('The tool budget is spent and the model gave no answer.');
  });

  const same = (count: number, name = 'echo'): Play[] =>
    Array.from({ length: count }, (_, n) => asks({ id: `c${n}`, name, arguments: {} }));

  it('comes after the same call with the same result five times, with a note from the third on', async () => {
    const { transcript, outcome, requests } = await play([...same(5), says('Enough.')], {
      tools: [echo],
    });
    const isNoted = resultsIn(transcript).map(({ content }) => content.endsWith(REPEAT_NOTE));
    expect(isNoted).toEqual([false, false, true, true, false]);
    expect(requests[5]).toMatchObject(finalRequest);
    expect(outcome).toMatchObject({ status: 'limit', reply: 'Enough.' });
  });

  it('comes after five equal results that are too long, though each is spilled to its own file', async () => {
    const long = toolThat('long', () => ({ status: 'ok', content: 'x'.repeat(100_000) }));
    const { outcome } = await play([...same(5, 'long'), says('Enough.')], {
      tools: [long],
      run: { spill: async ({ id }) => `tool-results/${id}.txt` },
    });
    expect(outcome).toMatchObject({ status: 'limit', reply: 'Enough.' });
  });

  it('does not come when the same call has another result each time', async () => {
    let count = 0;
    const clock = toolThat('echo', () => ({ status: 'ok', content: String((count += 1)) }));
    const { outcome, transcript } = await play([...same(6), says('Done.')], { tools: [clock] });
    expect(outcome.status).toBe('completed');
    expect(resultsIn(transcript).map(({ content }) => content)).toEqual([...'123456']);
  });

  it('comes after an unknown tool was called three times, whatever came between', async () => {
    const ghost = (n: number) => asks({ id: `g${n}`, name: `ghost_${n}` });
    const { outcome, requests } = await play(
      [ghost(1), ghost(2), asks({ id: 'e', name: 'echo' }), ghost(3), says('I have no ghost.')],
      { tools: [echo] },
    );
    expect(requests[4]).toMatchObject(finalRequest);
    expect(outcome.status).toBe('limit');
  });
});

describe('a model that fails', () => {
  it.each([
    ['a ModelError', new ModelError('429: too many requests', 429), '429: too many requests'],
    ['an error without a text', new Error('  '), 'The run failed without saying why.'],
    ['something that is no error', 'oops', 'The run failed without saying why.'],
  ])('%s fails the run with a text that is never empty', async (_what, error, text) => {
    const { outcome, events } = await play([throws(error)]);
    expect(outcome).toMatchObject({ status: 'failed', error: text, reply: '' });
    expect(events).toEqual([{ type: 'run-end', status: 'failed', error: text }]);
  });

  it('keeps what it had said', async () => {
    const { outcome, transcript } = await play([
      streams(['Half a '], throws(new ModelError('the connection broke'))),
    ]);
    expect(outcome).toMatchObject({ status: 'failed', reply: 'Half a ' });
    expect(transcript.at(-1)).toEqual({ role: 'assistant', content: 'Half a ' });
  });

  it('keeps what was said before a tool call once', async () => {
    const saysAndAsks = answers({
      message: {
        role: 'assistant',
        content: 'I look.',
        toolCalls: [{ id: 'a', name: 'echo', arguments: '{}' }],
      },
    });
    const { transcript, outcome } = await play(
      [streams(['I look.'], saysAndAsks), throws(new ModelError('500'))],
      { tools: [echo] },
    );
    expect(transcript.map(({ content }) => content)).toEqual(['Go.', 'I look.', '{}']);
    expect(outcome.reply).toBe('');
  });

  it('keeps the tool results that were there', async () => {
    const { transcript, outcome } = await play(
      [asks({ id: 'a', name: 'echo' }), throws(new ModelError('500'))],
      { tools: [echo] },
    );
    expect(transcript.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
    expect(outcome.toolCalls).toMatchObject([{ id: 'a', status: 'ok' }]);
  });

  it('that ends without an answer fails the run', async () => {
    // oxlint-disable-next-line no-empty-function -- not a word
    const { outcome } = await play([async function* () {}]);
    expect(outcome).toMatchObject({
      status: 'failed',
      error: 'The model ended without an answer.',
    });
  });
});

describe('a run that is stopped', () => {
  const stopAfter = (
    controller: AbortController,
    reason: Error,
    pieces: readonly string[] = [],
  ): Play =>
    streams(pieces, (request, signal) => {
      setImmediate(() => controller.abort(reason));
      return hangs(request, signal);
    });

  it('during the model call is cancelled and keeps the text so far', async () => {
    const controller = new AbortController();
    const script = [stopAfter(controller, new RunCancelled('stop'), ['It is ', 'half'])];
    const { outcome, transcript, events } = await play(script, { controller });
    expect(outcome).toMatchObject({ status: 'cancelled', error: null, reply: 'It is half' });
    expect(transcript.at(-1)).toEqual({ role: 'assistant', content: 'It is half' });
    expect(events.at(-1)).toEqual({ type: 'run-end', status: 'cancelled' });
  });

  it('before it began asks the model nothing it could answer', async () => {
    const controller = new AbortController();
    controller.abort(new RunCancelled('stop'));
    const { outcome, transcript } = await play([hangs], { controller });
    expect(outcome).toMatchObject({ status: 'cancelled', reply: '' });
    expect(transcript).toHaveLength(1);
  });

  it('out of time in the model call has failed, and says so', async () => {
    const controller = new AbortController();
    const script = [stopAfter(controller, new RunTimedOut('The run took longer than 1 s.'), ['A'])];
    const { outcome } = await play(script, { controller });
    expect(outcome).toMatchObject({
      status: 'failed',
      error: 'The run took longer than 1 s.',
      reply: 'A',
    });
  });

  it.each([
    ['cancelled', new RunCancelled('stop'), 'cancelled'],
    ['out of time', new RunTimedOut('Too long.'), 'failed'],
  ])('%s during a tool ends the tool and asks no more', async (_what, reason, status) => {
    const controller = new AbortController();
    let isToldTo = false;
    const stuck = toolThat('stuck', (_input, { signal }) => {
      signal.addEventListener('abort', () => (isToldTo = true));
      setImmediate(() => controller.abort(reason));
      return new Promise(() => {});
    });
    const { outcome, requests } = await play(
      [asks({ id: 'a', name: 'stuck' }, { id: 'b', name: 'echo' })],
      { tools: [stuck, echo], controller },
    );
    expect(isToldTo).toBe(true);
    expect(requests).toHaveLength(1);
    expect(outcome.status).toBe(status);
    expect(outcome.toolCalls).toMatchObject([{ status: 'cancelled' }, { status: 'ok' }]);
  });

  it('does not begin the calls that were still waiting', async () => {
    const controller = new AbortController();
    let begun = 0;
    const alone = toolThat(
      'alone',
      () => {
        begun += 1;
        controller.abort(new RunCancelled('stop'));
        return { status: 'ok', content: 'written' };
      },
      { sequential: true },
    );
    const { outcome } = await play(
      [asks({ id: 'a', name: 'alone' }, { id: 'b', name: 'alone' }, { id: 'c', name: 'alone' })],
      { tools: [alone], controller },
    );
    expect(begun).toBe(1);
    expect(outcome.toolCalls.map(({ status }) => status).slice(1)).toEqual([
      'cancelled',
      'cancelled',
    ]);
  });
});

describe('governance', () => {
  const setups = (...list: (TurnSetup | Error)[]): AgentRun['setup'] => {
    let at = 0;
    return async () => {
      const now = list[Math.min(at, list.length - 1)];
      at += 1;
      if (now instanceof Error || now === undefined) throw now;
      return now;
    };
  };
  const withEcho: TurnSetup = { system, tools: toolSetOf([echo]) };
  const off = 'echo is not available here (global_disabled): Turned off for all agents.';
  const without: TurnSetup = { system, tools: toolSetOf([], { echo: off }) };

  it('refuses, with the reason, a tool that was turned off while the model was thinking', async () => {
    const { transcript, requests } = await play(
      [asks({ id: 'a', name: 'echo' }), says('I cannot.')],
      { run: { setup: setups(withEcho, without) } },
    );
    expect(resultsIn(transcript)).toMatchObject([{ status: 'refused', content: off }]);
    expect(requests.map(({ tools }) => tools.length)).toEqual([1, 0]);
  });

  it('executes a tool that was turned on while the model was thinking', async () => {
    const { transcript } = await play([asks({ id: 'a', name: 'echo' }), says('Done.')], {
      run: { setup: setups(without, withEcho) },
    });
    expect(resultsIn(transcript)).toMatchObject([{ status: 'ok' }]);
  });

  it('sends the system prompt of the moment', async () => {
    const newer: Message = { role: 'system', content: 'You are another.' };
    const { requests } = await play([asks({ id: 'a', name: 'echo' }), says('Done.')], {
      run: { setup: setups(withEcho, withEcho, { ...withEcho, system: newer }) },
    });
    expect(requests.map(({ messages }) => messages[0])).toEqual([system, newer]);
  });

  it('that cannot be read fails the run before the model is asked', async () => {
    const { outcome, requests } = await play([says('never')], {
      run: { setup: setups(new Error('the rows cannot be read')) },
    });
    expect(outcome).toMatchObject({ status: 'failed', error: 'the rows cannot be read' });
    expect(requests).toEqual([]);
  });

  it('that cannot be read before a round of tools fails the run and executes nothing', async () => {
    let executed = 0;
    const counted = toolThat('echo', () => {
      executed += 1;
      return { status: 'ok', content: 'x' };
    });
    const { outcome } = await play([asks({ id: 'a', name: 'echo' }, { id: 'b', name: 'echo' })], {
      run: {
        setup: setups({ system, tools: toolSetOf([counted]) }, new Error('the rows are gone')),
      },
    });
    expect(executed).toBe(0);
    expect(outcome).toMatchObject({ status: 'failed', error: 'the rows are gone' });
    expect(outcome.toolCalls.map(({ status }) => status)).toEqual(['cancelled', 'cancelled']);
  });
});

describe("a tool's own reply", () => {
  const asking = toolThat('clarify', (input) => ({
    status: 'ok',
    content: 'The question is put to the user.',
    reply: String(input),
  }));

  it('ends the run as completed and is kept as what the agent said', async () => {
    const { outcome, transcript, events } = await play(
      [asks({ id: 'a', name: 'clarify', arguments: '"Which one?"' })],
      { tools: [asking] },
    );
    expect(outcome).toMatchObject({ status: 'completed', error: null, reply: 'Which one?' });
    expect(transcript.at(-1)).toEqual({ role: 'assistant', content: 'Which one?' });
    expect(typesOf(events).slice(-2)).toEqual(['message', 'run-end']);
  });

  it('lets the other calls of the answer finish, and joins several replies', async () => {
    const { outcome, transcript } = await play(
      [
        asks(
          { id: 'a', name: 'clarify', arguments: '"One?"' },
          { id: 'b', name: 'echo' },
          { id: 'c', name: 'clarify', arguments: '"Two?"' },
        ),
      ],
      { tools: [asking, echo] },
    );
    expect(outcome.reply).toBe('One?\n\nTwo?');
    expect(resultsIn(transcript)).toHaveLength(3);
  });
});

describe('a long result', () => {
  const text = `HEAD${'x'.repeat(2 * MAX_RESULT_BYTES)}TAIL`;
  const long = toolThat('long', () => ({ status: 'ok', content: text }));
  const script = (): Play[] => [asks({ id: 'a', name: 'long' }), says('Done.')];

  it('keeps head and tail, says how much was cut, and lies in full where it says', async () => {
    const spilled: string[] = [];
    const { transcript, events } = await play(script(), {
      tools: [long],
      run: {
        spill: async ({ id }, full) => {
          spilled.push(full);
          return `tool-results/${id}.txt`;
        },
      },
    });
    const content = resultsIn(transcript)[0]?.content ?? '';
    expect(new TextEncoder().encode(content).length).toBeLessThanOrEqual(MAX_RESULT_BYTES);
    expect(content).toMatch(/^HEADx+/);
    expect(content).toMatch(/x+TAIL$/);
    expect(content).toMatch(/\[\.\.\. \d+ of 131080 bytes were cut here\./);
    expect(content).toContain('What the tool returned is in tool-results/a.txt;');
    expect(spilled).toEqual([text]);
    const result = events.find(({ type }) => type === 'tool-result');
    expect(result).toMatchObject({ preview: content.slice(0, 2000) });
  });

  it('is not lost when it cannot be spilled', async () => {
    const { transcript } = await play(script(), {
      tools: [long],
      run: { spill: () => Promise.reject(new Error('no space left')) },
    });
    expect(resultsIn(transcript)).toMatchObject([
      {
        status: 'ok',
        content: expect.stringContaining(
          'bytes were cut here. They lie nowhere that a tool reaches',
        ),
      },
    ]);
  });
});

describe('the context', () => {
  it('is cut for the model and not in what is kept', async () => {
    const script = Array.from({ length: 8 }, (_, n) =>
      asks({ id: `c${n}`, name: 'echo', arguments: { n } }),
    );
    const { requests, transcript } = await play([...script, says('Done.')], {
      tools: [echo],
      run: { budget: { maxMessages: 6, maxTokens: null, meter: ESTIMATE } },
    });
    const last = requests.at(-1)?.messages ?? [];
    expect(last.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'assistant',
      'tool',
    ]);
    expect(transcript).toHaveLength(18);
  });
});
