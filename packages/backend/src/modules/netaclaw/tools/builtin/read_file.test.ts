import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeLocalComputer } from '../../../../../test/local_computer.js';
import { callTool, facilitiesWith } from '../../../../../test/tool_call.js';
import tool from './read_file.js';

let machine: Awaited<ReturnType<typeof makeLocalComputer>>;
beforeAll(async () => {
  machine = await makeLocalComputer();
});
afterAll(() => machine.dispose());

const call = (values: unknown) =>
  callTool(tool, values, { facilities: facilitiesWith(async () => machine.computer) });

it('shows the lines asked for, exactly as they are', async () => {
  await machine.computer.files.writeText('a.txt', 'one\n\ttwo\nthree\n');
  expect(await call({ path: 'a.txt' })).toEqual({ status: 'ok', content: 'one\n\ttwo\nthree' });
  expect((await call({ path: 'a.txt', offset: 2, limit: 1 })).content).toBe(
    '\ttwo\n[Lines 2 to 2 of 3. The next line is 3.]',
  );
});

it('names the path that does not exist', async () => {
  expect(await call({ path: 'none.txt' })).toMatchObject({
    status: 'error',
    content: expect.stringContaining('"none.txt" does not exist'),
  });
});
