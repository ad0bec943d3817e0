import { describe, expect, it } from 'vitest';
import { facilitiesWith } from '../../../../test/tool_call.js';
import { crewToolsOf } from './crew_tools.js';
import { instantiateTools } from './instantiate.js';
import type { DelegatedTask } from './source.js';

const crew = crewToolsOf([
  { name: 'writer', description: 'Writes well.', problem: null },
  { name: 'code-reader', description: '', problem: 'Its agent is off.' },
  { name: 'x'.repeat(80), description: '', problem: null },
]);

const facilities = facilitiesWith(() => Promise.reject(new Error('no computer')));
const call = { callId: 'c', signal: new AbortController().signal, timeoutMs: 1000 };

function toolOf(given: typeof facilities) {
  const resolved = {
    tools: crew.tools,
    toolNames: [],
    builtinToolNames: [],
    toolPromptHints: [],
    disabledReasons: [],
    warnings: [],
  };
  const set = instantiateTools(resolved, { of: ({ name }) => crew.catalog.get(name) }, given);
  const tool = set.get('delegate_writer');
  if (!tool) throw new Error('there is no tool for the writer');
  return tool;
}

describe('the tools of a crew', () => {
  it('are one for each member whose name makes a tool, in order, with what it is good for', () => {
    expect(crew.tools.map(({ name, scene, toolset }) => [name, scene, toolset])).toEqual([
      ['delegate_code_reader', 'crew_master', 'crew'],
      ['delegate_writer', 'crew_master', 'crew'],
    ]);
    expect(crew.tools[1]?.offered.description).toMatch(/writer.*Writes well\.$/);
    expect(crew.tools[1]?.offered.parameters).toMatchObject({
      required: ['task'],
      properties: { task: { type: 'string' }, context: {}, expected_output: {} },
    });
  });

  it('say of a member that is away why, by its tool', () => {
    expect([...crew.unavailable]).toEqual([['delegate_code_reader', 'Its agent is off.']]);
  });

  it('hand the task on, with what was left out as null', async () => {
    const seen: DelegatedTask[] = [];
    const delegate = async (task: DelegatedTask) => {
      seen.push(task);
      return { status: 'ok' as const, content: 'done' };
    };
    const tool = toolOf({ ...facilities, delegate });
    const input = tool.parse({ task: 'Write.', expected_output: 'A line.' });
    expect(await tool.execute(input.ok ? input.value : null, call)).toMatchObject({ status: 'ok' });
    expect(seen).toEqual([
      { member: 'writer', task: 'Write.', context: null, expectedOutput: 'A line.' },
    ]);
  });

  it('refuse an empty task, and delegate nothing where the run leads no crew', async () => {
    const tool = toolOf(facilities);
    expect(tool.parse({ task: ' ' })).toMatchObject({ ok: false });
    const output = await tool.execute({ task: 'Write.' }, call);
    expect(output).toMatchObject({ status: 'error', content: expect.stringMatching(/nothing/) });
  });
});
