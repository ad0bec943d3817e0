import { describe, expect, it } from 'vitest';
import { countsPerNamespace, limitingPrelude, DEFAULT_COMMAND_LIMITS } from './command_limits.js';
import { describeExcess, measureTree } from './process_watch.js';

describe('describeExcess', () => {
  const limits = { processes: 10, memoryBytes: 1024 * 1024 };

  it.each([
    [{ threads: 10, memoryBytes: 1024 * 1024 }, null],
    [{ threads: 11, memoryBytes: 0 }, 'it had more than 10 processes and threads at once'],
    [{ threads: 1, memoryBytes: 1024 * 1024 + 1 }, 'it used more than 1 MiB of memory'],
  ])('of %j is %j', (use, sentence) => {
    expect(describeExcess(use, limits)).toBe(sentence);
  });
});

it.skipIf(process.platform !== 'linux')('measures this process (Linux only)', () => {
  const use = measureTree(process.pid, 1000);
  expect(use.threads).toBeGreaterThan(1);
  expect(use.memoryBytes).toBeGreaterThan(1024 * 1024);
});

it('finds nothing of a process that is gone', () => {
  expect(measureTree(2 ** 30, 10)).toEqual({ threads: 0, memoryBytes: 0 });
});

it.each([
  ['5.4.0-150-generic', false],
  ['5.14.0', true],
  ['6.1.0', true],
  ['unknown', false],
])('kernel %s counts processes per namespace: %s', (release, expected) => {
  expect(countsPerNamespace(release)).toBe(expected);
});

it('never limits the number of processes outside a namespace', () => {
  const prelude = limitingPrelude(DEFAULT_COMMAND_LIMITS, { timeoutMs: 1000, ownNamespace: false });
  expect(prelude).not.toContain('ulimit -u');
});
