import { expect, it } from 'vitest';
import { reportCommand } from './command_report.js';

const base = { exitCode: 0, stdout: 'out\n', stderr: '', timedOut: false };

it('says exit code and both outputs', () => {
  expect(reportCommand(base, 1000)).toEqual({
    status: 'ok',
    content: 'Exit code: 0\nstdout:\nout\nstderr: (empty)',
  });
});

it.each([
  [{ ...base, exitCode: 2 }, /^Exit code: 2\n/],
  [{ ...base, exitCode: null, endedBecause: 'it used too much' }, /because it used too much\./],
  [{ ...base, exitCode: null }, /^The command was ended by a signal\./],
])('is an error with the output included: %j', (result, expected) => {
  const report = reportCommand(result, 1000);
  expect(report.status).toBe('error');
  expect(report.content).toMatch(expected);
  expect(report.content).toContain('out');
});

it('is a time-out, with the output until then, where the limit ended the command', () => {
  const report = reportCommand({ ...base, exitCode: null, timedOut: true }, 1000);
  expect(report.status).toBe('timeout');
  expect(report.content).toMatch(/^Time limit: .* after 1000 ms\.[^]*out/);
});
