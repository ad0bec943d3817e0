import type { AssistantMessage, Message } from '@netaclaw/contracts';
import type OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { problemsOfChatRequest } from '../../../../../test/wire/chat_request.js';
import type { OfferedTool } from '../port.js';
import { openAiBodyMaker, type OpenAiStyle } from './to_openai.js';

type Body = OpenAI.Chat.Completions.ChatCompletionCreateParams;
type WireMessage = OpenAI.Chat.Completions.ChatCompletionMessageParam;

const style: OpenAiStyle = {
  options: { model: 'gpt-x', maxOutputTokens: null, params: {} },
  acceptsImages: true,
  limitField: 'max_tokens',
};
/** The body as it goes out; every one of them is held to the form of the protocol. */
const bodyOf = (
  messages: Message[],
  more: { tools?: OfferedTool[]; stream?: boolean; style?: Partial<OpenAiStyle> } = {},
): Body => {
  const make = openAiBodyMaker({ ...style, ...more.style });
  const request = { messages, tools: more.tools ?? [], stream: more.stream ?? false };
  const body: Body = JSON.parse(make(request).join(''));
  expect(problemsOfChatRequest(body)).toEqual([]);
  return body;
};
const wire = (messages: Message[], changed: Partial<OpenAiStyle> = {}) =>
  bodyOf(messages, { style: changed }).messages;

const user: Message = { role: 'user', content: 'Hello' };
const resultOf = (id: string, content = 'ok'): Message => ({
  role: 'tool',
  toolCallId: id,
  name: 'list_dir',
  content,
  status: 'ok',
});
const listDir: OfferedTool = {
  name: 'list_dir',
  description: 'Lists a folder.',
  parameters: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { path: { type: 'string' } },
    additionalProperties: false,
  },
};

describe('the body', () => {
  it('has only what is needed', () => {
    expect(bodyOf([user])).toEqual({
      model: 'gpt-x',
      messages: [{ role: 'user', content: 'Hello' }],
    } satisfies Body);
  });

  it('carries the parameters of the channel under their names on the wire', () => {
    const options = {
      model: 'gpt-x',
      maxOutputTokens: 100,
      params: {
        temperature: 0.5,
        topP: 0.9,
        frequencyPenalty: 0.1,
        presencePenalty: 0.2,
        seed: 7,
        reasoningEffort: 'low' as const,
      },
    };
    const body = bodyOf([user], {
      style: { options, limitField: 'max_completion_tokens' },
      stream: true,
    });
    expect(body).toEqual({
      model: 'gpt-x',
      max_completion_tokens: 100,
      temperature: 0.5,
      top_p: 0.9,
      frequency_penalty: 0.1,
      presence_penalty: 0.2,
      seed: 7,
      reasoning_effort: 'low',
      messages: [{ role: 'user', content: 'Hello' }],
      stream: true,
      stream_options: { include_usage: true },
    } satisfies Body);
  });

  it('offers tools without the dialect of their schema, and no empty list of tools', () => {
    expect(bodyOf([user], { tools: [listDir] }).tools).toEqual([
      {
        type: 'function',
        function: {
          name: 'list_dir',
          description: 'Lists a folder.',
          parameters: {
            type: 'object',
            properties: { path: { type: 'string' } },
            additionalProperties: false,
          },
        },
      },
    ] satisfies Body['tools']);
    expect(bodyOf([user])).not.toHaveProperty('tools');
  });

  it('gives a tool without parameters an object schema', () => {
    const tool = { name: 'now', description: 'Tells the time.', parameters: {} };
    expect(bodyOf([user], { tools: [tool] }).tools?.[0]).toMatchObject({
      function: { parameters: { type: 'object', properties: {} } },
    });
  });

  it('serialises a tool and a message once', () => {
    let reads = 0;
    const counted = {
      name: 'counted',
      get description() {
        reads++;
        return 'Counts.';
      },
      parameters: {},
    };
    const message: Message = {
      role: 'user',
      get content() {
        reads++;
        return 'Hi';
      },
    };
    const make = openAiBodyMaker(style);
    const request = { messages: [message], tools: [counted], stream: false };
    const first = make(request);
    const after = reads;
    expect(make(request)).toEqual(first);
    expect(reads).toBe(after);
  });
});

describe('system messages', () => {
  it('become one where they lead', () => {
    const messages: Message[] = [
      { role: 'system', content: 'Be kind.' },
      { role: 'system', content: '  ' },
      { role: 'system', content: 'Be brief.' },
      user,
    ];
    expect(wire(messages)).toEqual([
      { role: 'system', content: 'Be kind.\n\nBe brief.' },
      { role: 'user', content: 'Hello' },
    ] satisfies WireMessage[]);
  });

  it('become marked user messages later on', () => {
    const late: Message = { role: 'system', content: 'The budget is spent.' };
    expect(wire([user, late])).toEqual([
      { role: 'user', content: 'Hello' },
      { role: 'user', content: '[System note]\nThe budget is spent.' },
    ]);
  });
});

describe('calls and results', () => {
  it('keep content beside calls, empty when there are no words', () => {
    const messages: Message[] = [
      user,
      {
        role: 'assistant',
        content: '',
        reasoning: 'I had better look.',
        toolCalls: [
          { id: 'call_1', name: 'list_dir', arguments: '{"path":"."}' },
          { id: 'call_2', name: 'list_dir', arguments: '' },
        ],
      },
      { role: 'tool', toolCallId: 'call_1', name: 'list_dir', content: 'a.txt', status: 'ok' },
      { role: 'tool', toolCallId: 'call_2', name: 'list_dir', content: '', status: 'error' },
    ];
    expect(wire(messages)).toEqual([
      { role: 'user', content: 'Hello' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [
          {
            id: 'call_1',
            type: 'function',
            function: { name: 'list_dir', arguments: '{"path":"."}' },
          },
          { id: 'call_2', type: 'function', function: { name: 'list_dir', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'a.txt' },
      { role: 'tool', tool_call_id: 'call_2', content: '(no output)' },
    ] satisfies WireMessage[]);
  });

  it.each([
    ['cut off', '{"path": "a', '{"unparsable_arguments":"{\\"path\\": \\"a"}'],
    ['a list', '[1]', '{"unparsable_arguments":"[1]"}'],
    ['blank', ' ', '{}'],
  ])('are an object on the wire when the arguments are %s', (_what, given, sent) => {
    const toolCalls = [{ id: 'c', name: 'list_dir', arguments: given }];
    const message = wire([user, { role: 'assistant', content: '', toolCalls }, resultOf('c')])[1];
    expect(message).toMatchObject({ tool_calls: [{ function: { arguments: sent } }] });
  });

  it('have ids of at most 40 characters, alike on both sides', () => {
    const id = `toolu_${'x'.repeat(60)}`;
    const [, call, result] = wire([
      user,
      {
        role: 'assistant',
        content: 'Wait.',
        toolCalls: [{ id, name: 'list_dir', arguments: '{}' }],
      },
      { role: 'tool', toolCallId: id, name: 'list_dir', content: 'ok', status: 'ok' },
    ]);
    const short = id.slice(0, 40);
    expect(call).toMatchObject({ tool_calls: [{ id: short }] });
    expect(result).toMatchObject({ tool_call_id: short });
  });

  it('keep ids in foreign forms that are legal', () => {
    const id = 'functions.list_dir:0';
    const toolCalls = [{ id, name: 'list_dir', arguments: '{}' }];
    const message = wire([user, { role: 'assistant', content: '', toolCalls }, resultOf(id)])[1];
    expect(message).toMatchObject({ tool_calls: [{ id }] });
  });

  it('have names that a provider accepts, even those a model made up', () => {
    const toolCalls = [
      { id: 'a', name: 'read file!', arguments: '{}' },
      { id: 'b', name: '', arguments: '{}' },
    ];
    const asks: Message = { role: 'assistant', content: '', toolCalls };
    const message = wire([user, asks, resultOf('a'), resultOf('b')])[1];
    expect(message).toMatchObject({
      tool_calls: [{ function: { name: 'read_file_' } }, { function: { name: 'unknown' } }],
    });
  });
});

describe('reasoning', () => {
  const sealedBy = (protocol: string, model: string): Partial<AssistantMessage> => ({
    reasoning: 'Let me look.',
    sealedReasoning: { protocol, model, items: [{ reasoning_content: 'Let me look.' }] },
  });
  const asks = (more: Partial<AssistantMessage>): Message => ({
    role: 'assistant',
    content: '',
    toolCalls: [{ id: 'a', name: 'list_dir', arguments: '{}' }],
    ...more,
  });
  const turn = (more: Partial<AssistantMessage>) => [user, asks(more), resultOf('a')];

  it('that this model gave beside calls goes back to it under its name', () => {
    expect(wire(turn(sealedBy('openai_chat', 'gpt-x')))[1]).toEqual({
      role: 'assistant',
      content: '',
      reasoning_content: 'Let me look.',
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'list_dir', arguments: '{}' } }],
    });
  });

  it('is kept apart for two models that are asked with the same messages', () => {
    const messages = turn(sealedBy('openai_chat', 'gpt-y'));
    expect(wire(messages)[1]).not.toHaveProperty('reasoning_content');
    const options = { ...style.options, model: 'gpt-y' };
    expect(wire(messages, { options })[1]).toHaveProperty('reasoning_content');
    expect(wire(messages)[1]).not.toHaveProperty('reasoning_content');
  });

  it.each([
    ['another model', sealedBy('openai_chat', 'gpt-y')],
    ['another protocol', sealedBy('openai_responses', 'gpt-x')],
    ['nobody, unsealed', { reasoning: 'Let me look.' }],
  ])('of %s is left out', (_whose, more) => {
    expect(wire(turn(more))).toEqual(wire(turn({})));
  });

  it('without calls is left out', () => {
    const own = sealedBy('openai_chat', 'gpt-x');
    const message = wire([user, { role: 'assistant', content: 'Well.', ...own }, user])[1];
    expect(message).toEqual({ role: 'assistant', content: 'Well.' });
  });
});

describe('what is left out and added', () => {
  it('drops blank messages and blank parts', () => {
    const messages: Message[] = [
      { role: 'user', content: '  ' },
      { role: 'assistant', content: '\n' },
      {
        role: 'user',
        content: [
          { type: 'text', text: ' ' },
          { type: 'text', text: 'Hi' },
        ],
      },
    ];
    expect(wire(messages)).toEqual([{ role: 'user', content: 'Hi' }]);
  });

  it('ends with a user or tool turn', () => {
    const ending = { role: 'user', content: 'Continue.' };
    expect(wire([user, { role: 'assistant', content: 'Well' }]).at(-1)).toEqual(ending);
    expect(wire([{ role: 'system', content: 'Be kind.' }]).at(-1)).toEqual(ending);
    expect(wire([]).at(-1)).toEqual(ending);
    expect(wire([user]).at(-1)).toEqual({ role: 'user', content: 'Hello' });
  });
});

describe('images and files', () => {
  const fileId = '0b8f7c1e-6a55-4d8a-9a6e-2f1f6f0c9f10';
  const picture: Message = {
    role: 'user',
    content: [
      { type: 'text', text: 'What is this?' },
      { type: 'image', url: 'data:image/png;base64,AAAA' },
      { type: 'file', fileId },
    ],
  };

  it('go as image_url to a model that sees', () => {
    expect(wire([picture])).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
          { type: 'text', text: `[Attached file ${fileId}]` },
        ],
      },
    ] satisfies WireMessage[]);
  });

  it('become lines of text for a model that reads only text', () => {
    const [message] = wire([picture], { acceptsImages: false });
    expect(message).toEqual({
      role: 'user',
      content: `What is this?\n\n[An image was attached here. This model reads text only.]\n\n[Attached file ${fileId}]`,
    });
  });

  it('name an image that nobody loaded', () => {
    const [message] = wire([{ role: 'user', content: [{ type: 'image', fileId }] }]);
    expect(message).toEqual({ role: 'user', content: `[Attached image ${fileId}]` });
  });
});
