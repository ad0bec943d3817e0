import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeLocalComputer } from '../../../../../test/local_computer.js';
import { callTool, facilitiesWith } from '../../../../../test/tool_call.js';
import tool from './list_dir.js';

let machine: Awaited<ReturnType<typeof makeLocalComputer>>;
beforeAll(async () => {
  machine = await makeLocalComputer();
});
afterAll(() => machine.dispose());

const call = (values: unknown) =>
  callTool(tool, values, { facilities: facilitiesWith(async () => machine.computer) });

it('lists the workspace root when no folder is named', async () => {
  expect((await call({})).content).toBe('[The folder is empty.]');
  await machine.computer.files.writeText('src/main.ts', 'x');
  expect((await call({})).content).toBe('src/');
  expect((await call({ path: 'src' })).content).toBe('main.ts  1 bytes');
});

it('says that a file is no folder', async () => {
  await machine.computer.files.writeText('file', '');
  expect(await call({ path: 'file' })).toMatchObject({
    status: 'error',
    content: expect.stringContaining('not a folder'),
  });
});
