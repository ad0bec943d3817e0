import type { Message } from '@netaclaw/contracts';
import { describe, expect, it } from 'vitest';
import type { OfferedTool } from '../port.js';
import { rehearse, words } from './rehearsal_script.js';

const tool = (name: string): OfferedTool => ({ name, description: name, parameters: {} });
const tools = [tool('read_file'), tool('bash')];
const user = (content: string): Message => ({ role: 'user', content });
const result = (toolCallId: string, name: string, content: string): Message => ({
  role: 'tool',
  toolCallId,
  name,
  content,
  status: 'ok',
});
const ask = (messages: Message[], offered: OfferedTool[] = tools) =>
  rehearse({ messages, tools: offered, stream: false });

it('says that it is a rehearsal and which tools it sees, sorted', () => {
  expect(ask([user('Hello')]).message.content).toMatch(
    /^This is a rehearsal, not a model\. I see 2 tools: bash, read_file\./,
  );
  expect(ask([user('Hello')], []).message.content).toBe(
    'This is a rehearsal, not a model. I see no tools.',
  );
});

it('goes on with its script where the context has no room for the rounds before', () => {
  const script = user('CALL bash {"command":"one"}\nTHEN\nCALL bash {"command":"two"}');
  const answer = rehearse({ messages: [script], tools, stream: false, roundsDone: 1 });
  expect(answer.message.toolCalls).toMatchObject([{ arguments: '{"command":"two"}' }]);
  const done = rehearse({ messages: [script], tools, stream: false, roundsDone: 2 });
  expect(done.message.toolCalls).toBeUndefined();
});

describe('scripts', () => {
  it('make several calls at once, offered or not, with arguments as written', () => {
    const script = 'Please:\n  CALL bash {"command":"ls"}\nCALL unknown\nCALL read_file {"path":';
    expect(ask([user(script)])).toMatchObject({
      message: {
        content: '',
        toolCalls: [
          { id: 'rehearsal_1', name: 'bash', arguments: '{"command":"ls"}' },
          { id: 'rehearsal_2', name: 'unknown', arguments: '{}' },
          { id: 'rehearsal_3', name: 'read_file', arguments: '{"path":' },
        ],
      },
      stopReason: 'tool_calls',
    });
  });

  it('go on after THEN, and end with an account', () => {
    const history = [user('CALL bash {}\nTHEN\nCALL read_file {"path":"a"}')];
    const first = ask(history).message;
    history.push(first, result('rehearsal_1', 'bash', 'x'.repeat(300)));
    const second = ask(history).message;
    expect(second.toolCalls).toEqual([
      { id: 'rehearsal_2', name: 'read_file', arguments: '{"path":"a"}' },
    ]);
    history.push(second, result('rehearsal_2', 'read_file', 'text of a'));
    expect(ask(history).message.content).toBe(
      `This is a rehearsal, not a model. I made 2 tool calls:\n- bash: ok: ${'x'.repeat(200)}…\n- read_file: ok: text of a`,
    );
  });

  it('start anew with each user message, with ids that were not used', () => {
    const history = [user('CALL bash {}')];
    history.push(ask(history).message, result('rehearsal_1', 'bash', 'ok'));
    history.push(ask(history).message, user('CALL bash {}'));
    expect(ask(history).message.toolCalls?.[0]?.id).toBe('rehearsal_2');
  });

  it('read the text parts of a message', () => {
    const message: Message = {
      role: 'user',
      content: [
        { type: 'image', url: 'data:image/png;base64,AA' },
        { type: 'text', text: 'CALL bash {}' },
      ],
    };
    expect(ask([message]).message.toolCalls).toHaveLength(1);
  });
});

describe('the final call', () => {
  it.each<[string, Message]>([
    ['a user', user('The budget is spent. Answer now.')],
    ['a system', { role: 'system', content: 'The budget is spent. Answer now.' }],
  ])('gives the account only, with the instruction as %s message', (_what, instruction) => {
    const history = [user('CALL bash {}\nTHEN\nCALL bash {}')];
    history.push(ask(history).message, result('rehearsal_1', 'bash', 'done'), instruction);
    const answer = ask(history, []);
    expect(answer.message.toolCalls).toBeUndefined();
    expect(answer.message.content).toContain('1 tool call:\n- bash: ok: done');
  });
});

it('answers the same each time, and counts tokens roughly', () => {
  const first = ask([user('Hello you')]);
  expect(ask([user('Hello you')])).toEqual(first);
  expect(first.usage.inputTokens).toBe(3);
  expect(first.usage.totalTokens).toBe(first.usage.inputTokens + first.usage.outputTokens);
});

it('cuts text into words that give the text again', () => {
  expect(words('one  two\nthree')).toEqual(['one  ', 'two\n', 'three']);
});
