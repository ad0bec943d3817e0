import type { ToolCall } from '@netaclaw/contracts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { toolSetOf, toolThat, type Behaviour } from '../../../../test/tool_set_of.js';
import type { AgentTool } from './port.js';
import { prepare, runToolCall, type StepFacilities } from './tool_step.js';

const call = (fields: Partial<ToolCall> = {}): ToolCall => ({
  id: 'a',
  name: 'it',
  arguments: '{}',
  ...fields,
});

const facilitiesFor = (
  tools: readonly AgentTool[],
  fields: Partial<StepFacilities> = {},
): StepFacilities => ({
  tools: toolSetOf(tools, { off: 'off is turned off.' }),
  clock: Date.now,
  spill: async () => null,
  signal: new AbortController().signal,
  deadline: Date.now() + 1_000_000,
  ...fields,
});

const tool = (does: Behaviour, fields: Partial<AgentTool> = {}) => toolThat('it', does, fields);
const never = () => new Promise<never>(() => {});

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('prepare', () => {
  const good = tool(() => ({ status: 'ok', content: '' }));
  const picky = toolThat('picky', () => ({ status: 'ok', content: '' }), {
    parse: () => ({ ok: false, problem: 'path: expected string' }),
  });
  const tools = toolSetOf([good, picky], { off: 'off is turned off.' });

  it('hands on what the schema made of the arguments', () => {
    const doubling = toolThat('double', () => ({ status: 'ok', content: '' }), {
      parse: (value) => ({ ok: true, value: [value, value] }),
    });
    expect(prepare(call({ name: 'double', arguments: '1' }), toolSetOf([doubling]))).toEqual({
      ready: true,
      tool: doubling,
      input: [1, 1],
    });
  });

  it.each(['', ' \n'])('takes %j for an empty object', (text) => {
    expect(prepare(call({ arguments: text }), tools)).toMatchObject({ ready: true, input: {} });
  });

  it.each([
    ['a name that is not there', { name: 'ghost' }, 'refused', 'There is no tool "ghost" here.'],
    ['a name that governance took out', { name: 'off' }, 'refused', 'off is turned off.'],
    ['broken JSON', { arguments: '{"a"' }, 'error', 'not valid JSON'],
    ['JSON with words around it', { arguments: 'Sure: {}' }, 'error', 'Write one JSON object'],
    ['arguments that do not fit', { name: 'picky' }, 'error', 'path: expected string'],
  ])('answers %s without executing', (...[, fields, status, says]) => {
    expect(prepare(call(fields), tools)).toEqual({
      ready: false,
      status,
      content: expect.stringContaining(says),
    });
  });

  it('does not look at the arguments of a tool that is refused', () => {
    expect(prepare(call({ name: 'off', arguments: '{' }), tools)).toMatchObject({
      status: 'refused',
    });
  });
});

describe('the deadline of a call', () => {
  const rows = [
    { claim: "the tool's own limit", own: 5_000, left: 60_000, timeoutMs: 5_000 },
    { claim: 'what the run has left', own: 60_000, left: 5_000, timeoutMs: 5_000 },
    { claim: 'two minutes for a tool without a limit', own: null, left: 1e6, timeoutMs: 120_000 },
  ];

  it.each(rows)('is the smallest: $claim', async ({ own, left, timeoutMs }) => {
    let given = 0;
    const stuck = tool(
      (_input, context) => {
        given = context.timeoutMs;
        return never();
      },
      { timeoutMs: own },
    );
    const facilities = facilitiesFor([stuck], { deadline: Date.now() + left });
    const step = runToolCall(call(), facilities);
    await vi.advanceTimersByTimeAsync(timeoutMs);
    expect(await step).toMatchObject({
      message: { status: 'timeout', content: expect.stringContaining(`${timeoutMs} ms`) },
      durationMs: timeoutMs,
    });
    expect(given).toBe(timeoutMs);
  });

  it('ends the tool by its signal', async () => {
    let signal: AbortSignal | null = null;
    const stuck = tool((_input, context) => {
      signal = context.signal;
      return never();
    });
    const step = runToolCall(call(), facilitiesFor([stuck]));
    await vi.advanceTimersByTimeAsync(120_000);
    await step;
    expect(signal).toMatchObject({ aborted: true });
  });

  it('is named as the cause when the tool heeds the signal with an error of its own', async () => {
    const heeding = tool(async (_input, { signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      throw new Error('aborted, says the tool');
    });
    const step = runToolCall(call(), facilitiesFor([heeding]));
    await vi.advanceTimersByTimeAsync(120_000);
    expect((await step).message).toMatchObject({ status: 'timeout' });
  });

  it('that has passed keeps the tool from beginning', async () => {
    const does = vi.fn<Behaviour>(() => ({ status: 'ok', content: 'done' }));
    const facilities = facilitiesFor([tool(does)], { deadline: Date.now() - 1 });
    expect((await runToolCall(call(), facilities)).message.status).toBe('timeout');
    expect(does).not.toHaveBeenCalled();
  });

  it('leaves no timer behind', async () => {
    await runToolCall(call(), facilitiesFor([tool(() => ({ status: 'ok', content: '' }))]));
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a run that is stopped', () => {
  it('ends a call at once, though the tool does not heed it', async () => {
    const controller = new AbortController();
    const step = runToolCall(call(), facilitiesFor([tool(never)], { signal: controller.signal }));
    controller.abort(new Error('stop'));
    expect((await step).message).toMatchObject({
      status: 'cancelled',
      content: 'Cancelled: the run was stopped.',
    });
  });

  it('keeps a tool from beginning', async () => {
    const does = vi.fn<Behaviour>(() => ({ status: 'ok', content: 'written' }));
    const signal = AbortSignal.abort(new Error('stop'));
    const step = await runToolCall(call(), facilitiesFor([tool(does)], { signal }));
    expect(step.message.status).toBe('cancelled');
    expect(does).not.toHaveBeenCalled();
  });

  it('still gets the result of a tool that was faster', async () => {
    const controller = new AbortController();
    const quick = tool(() => ({ status: 'ok', content: 'written' }));
    const step = runToolCall(call(), facilitiesFor([quick], { signal: controller.signal }));
    const { message } = await step;
    controller.abort(new Error('stop'));
    expect(message).toMatchObject({ status: 'ok', content: 'written' });
  });
});

describe('a finished call', () => {
  it.each([
    ['an error', new Error('no such file'), 'it failed: no such file'],
    ['an error without a text', new Error(''), 'it failed: it gave no reason'],
    ['a string', 'oops', 'it failed: it gave no reason'],
  ])('that threw %s is an error result', async (_what, thrown, content) => {
    const throwing = tool(() => {
      throw thrown;
    });
    const { message } = await runToolCall(call(), facilitiesFor([throwing]));
    expect(message).toEqual({
      role: 'tool',
      toolCallId: 'a',
      name: 'it',
      status: 'error',
      content,
    });
  });

  it('that threw before it gave a promise is an error result too', async () => {
    const throwing: AgentTool = {
      ...tool(never),
      execute() {
        throw new Error('at once');
      },
    };
    const { message } = await runToolCall(call(), facilitiesFor([throwing]));
    expect(message).toMatchObject({ status: 'error', content: 'it failed: at once' });
  });

  it('hands on a reply, and has none otherwise', async () => {
    const asking = tool(() => ({ status: 'ok', content: 'asked', reply: 'Which?' }));
    expect((await runToolCall(call(), facilitiesFor([asking]))).reply).toBe('Which?');
    const plain = tool(() => ({ status: 'ok', content: 'x' }));
    expect(await runToolCall(call(), facilitiesFor([plain]))).not.toHaveProperty('reply');
  });

  it('has the same gist wherever its long result was spilled to', async () => {
    const long = tool(() => ({ status: 'ok', content: 'x'.repeat(100_000) }));
    const facilities = facilitiesFor([long], { spill: async ({ id }) => `${id}.txt` });
    const one = await runToolCall(call({ id: '1' }), facilities);
    const two = await runToolCall(call({ id: '2' }), facilities);
    expect(one.message.content).not.toBe(two.message.content);
    expect(one.gist).toBe(two.gist);
  });

  it('is spilled only when it is too long', async () => {
    const spill = vi.fn<StepFacilities['spill']>(async () => null);
    const short = tool(() => ({ status: 'ok', content: 'short' }));
    const { message, gist } = await runToolCall(call(), facilitiesFor([short], { spill }));
    expect([message.content, gist]).toEqual(['short', 'short']);
    expect(spill).not.toHaveBeenCalled();
  });
});
