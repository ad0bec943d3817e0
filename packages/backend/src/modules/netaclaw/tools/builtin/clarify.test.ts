import { expect, it } from 'vitest';
import { callTool } from '../../../../../test/tool_call.js';
import tool from './clarify.js';

it('ends the run with the question and its numbered options', async () => {
  expect(await callTool(tool, { question: 'Which one?', options: ['red', 'blue'] })).toMatchObject({
    status: 'ok',
    reply: 'Which one?\n\n1. red\n2. blue',
  });
});

it('needs no options', async () => {
  expect((await callTool(tool, { question: 'Why?' })).reply).toBe('Why?');
});

it('is a core tool that operators see', () => {
  expect(tool.schema).toMatchObject({ isCore: true, visibility: 'tool', toolset: 'planning' });
});
