import { expect, it } from 'vitest';
import { callTool } from '../../../../../test/tool_call.js';
import tool from './todo.js';

it('returns the list as it now stands', async () => {
  const items = [
    { content: 'read', status: 'completed' },
    { content: 'write', status: 'in_progress' },
    { content: 'check', status: 'pending' },
  ];
  expect(await callTool(tool, { items })).toEqual({
    status: 'ok',
    content: '[x] read\n[>] write\n[ ] check\n1 of 3 completed.',
  });
});

it('takes an empty list', async () => {
  expect((await callTool(tool, { items: [] })).content).toBe('The list is empty now.');
});

it('refuses a status that is none', async () => {
  await expect(callTool(tool, { items: [{ content: 'x', status: 'done' }] })).rejects.toThrow(
    'status',
  );
});

it('is a core tool of the runtime itself', () => {
  expect(tool.schema).toMatchObject({ isCore: true, visibility: 'internal', toolset: 'planning' });
});
