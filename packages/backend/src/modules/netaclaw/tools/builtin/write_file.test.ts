import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeLocalComputer } from '../../../../../test/local_computer.js';
import { callTool, facilitiesWith } from '../../../../../test/tool_call.js';
import tool from './write_file.js';

let machine: Awaited<ReturnType<typeof makeLocalComputer>>;
beforeAll(async () => {
  machine = await makeLocalComputer();
});
afterAll(() => machine.dispose());

const call = (values: unknown) =>
  callTool(tool, values, { facilities: facilitiesWith(async () => machine.computer) });

it('writes a file with the folders above it', async () => {
  expect(await call({ path: 'a/b.txt', content: 'ü' })).toEqual({
    status: 'ok',
    content: 'Wrote 2 bytes to a/b.txt.',
  });
  expect(await machine.computer.files.readText('a/b.txt')).toBe('ü');
});

it('refuses a path outside the workspace', async () => {
  expect(await call({ path: '/etc/x', content: '' })).toMatchObject({ status: 'error' });
});
