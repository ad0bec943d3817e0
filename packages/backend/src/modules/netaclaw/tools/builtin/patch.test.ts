import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeLocalComputer } from '../../../../../test/local_computer.js';
import { callTool, facilitiesWith } from '../../../../../test/tool_call.js';
import tool from './patch.js';

let machine: Awaited<ReturnType<typeof makeLocalComputer>>;
beforeAll(async () => {
  machine = await makeLocalComputer();
});
afterAll(() => machine.dispose());

const call = (values: unknown) =>
  callTool(tool, values, { facilities: facilitiesWith(async () => machine.computer) });

it('changes a file in place', async () => {
  await machine.computer.files.writeText('a.txt', 'one\r\ntwo\r\n');
  expect(await call({ path: 'a.txt', old_text: 'one\ntwo', new_text: 'three' })).toEqual({
    status: 'ok',
    content: 'Changed a.txt in 1 place.',
  });
  expect(await machine.computer.files.readText('a.txt')).toBe('three\r\n');
});

it('leaves a file as it is when the text is not there', async () => {
  await machine.computer.files.writeText('b.txt', 'text');
  expect(await call({ path: 'b.txt', old_text: 'other', new_text: '' })).toMatchObject({
    status: 'error',
    content: expect.stringMatching(/^b\.txt was not changed: old_text was not found/),
  });
});

it('has guidance that an operator may replace', () => {
  expect(tool.schema).toMatchObject({ supportsPromptHint: true });
  expect(tool.schema.promptHint).toMatch(/\S/);
});
