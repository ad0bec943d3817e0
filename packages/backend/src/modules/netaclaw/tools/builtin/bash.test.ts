import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeLocalComputer } from '../../../../../test/local_computer.js';
import { callTool, facilitiesWith } from '../../../../../test/tool_call.js';
import type { ToolCallContext } from '../../runtime/port.js';
import { ComputerError } from '../../sandbox/components.js';
import tool from './bash.js';

let machine: Awaited<ReturnType<typeof makeLocalComputer>>;
beforeAll(async () => {
  machine = await makeLocalComputer();
});
afterAll(() => machine.dispose());

const call = (values: unknown, context: Partial<ToolCallContext> = {}) =>
  callTool(tool, values, { facilities: facilitiesWith(async () => machine.computer), context });

it('reports exit code, output and error output', async () => {
  expect(await call({ command: 'echo hello; echo oh >&2' })).toEqual({
    status: 'ok',
    content: 'Exit code: 0\nstdout:\nhello\nstderr:\noh',
  });
});

it('reports a failing command as an error', async () => {
  expect(await call({ command: 'exit 4' })).toMatchObject({
    status: 'error',
    content: expect.stringMatching(/^Exit code: 4/),
  });
});

it('ends a command at the limit it was given', async () => {
  const result = await call({ command: 'echo begun; sleep 30', timeout_ms: 300 });
  expect(result.status).toBe('timeout');
  expect(result.content).toMatch(/after 300 ms[^]*begun/);
});

it('leaves time for the output to arrive within the time of the call', async () => {
  const result = await call({ command: 'echo begun; sleep 30' }, { timeoutMs: 1000 });
  expect(result.content).toMatch(/after 500 ms[^]*begun/);
});

it('runs in a folder of the workspace and nowhere else', async () => {
  await call({ command: 'mkdir sub' });
  expect((await call({ command: 'basename "$PWD"', cwd: 'sub' })).content).toContain('sub');
  expect(await call({ command: 'pwd', cwd: '../..' })).toMatchObject({
    status: 'error',
    content: expect.stringContaining('outside the workspace'),
  });
});

it('says so when the computer has no shell', async () => {
  const facilities = facilitiesWith(async () => ({ ...machine.computer, shell: null }));
  const result = await callTool(tool, { command: 'true' }, { facilities });
  expect(result).toMatchObject({
    status: 'error',
    content: expect.stringContaining('no commands'),
  });
});

it('turns a computer that cannot be reached into a failed result', async () => {
  const facilities = facilitiesWith(() =>
    Promise.reject(new ComputerError('unavailable', 'The computer is away.')),
  );
  expect(await callTool(tool, { command: 'true' }, { facilities })).toEqual({
    status: 'error',
    content: 'The computer is away.',
  });
});

it('lets a bug rise', async () => {
  const facilities = facilitiesWith(() => Promise.reject(new TypeError('bug')));
  await expect(callTool(tool, { command: 'true' }, { facilities })).rejects.toThrow('bug');
});
