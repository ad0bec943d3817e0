import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeLocalComputer } from '../../../../../test/local_computer.js';
import { callTool, facilitiesWith } from '../../../../../test/tool_call.js';
import tool from './search_files.js';

let machine: Awaited<ReturnType<typeof makeLocalComputer>>;
beforeAll(async () => {
  machine = await makeLocalComputer();
});
afterAll(() => machine.dispose());

const call = (values: unknown) =>
  callTool(tool, values, { facilities: facilitiesWith(async () => machine.computer) });

it('shows path, line and text of what it finds', async () => {
  await machine.computer.files.writeText('src/a.ts', 'x\n  let total = 1;\n');
  await machine.computer.files.writeText('b.md', 'Total\n');
  expect((await call({ pattern: 'total\\b' })).content).toBe('src/a.ts:2:   let total = 1;');
  expect((await call({ pattern: 'TOTAL', ignore_case: true, glob: '*.md' })).content).toBe(
    'b.md:1: Total',
  );
  expect((await call({ pattern: 'let total = 1;', literal: true, path: 'src' })).content).toMatch(
    /^src\/a\.ts:2:/,
  );
});

it('says that nothing was found, and when there may be more', async () => {
  expect((await call({ pattern: 'zebra' })).content).toBe('[No matches.]');
  await machine.computer.files.writeText('many', 'q\nq\n');
  expect((await call({ pattern: 'q', max_matches: 1 })).content).toMatch(
    /^many:1: q\n\[There may be more/,
  );
});

it('explains a pattern that is not valid', async () => {
  expect(await call({ pattern: '[' })).toMatchObject({
    status: 'error',
    content: expect.stringContaining('not a valid regular expression'),
  });
});
