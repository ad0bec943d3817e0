import type { AssistantMessage, Message, ToolCall } from '@netaclaw/contracts';
import type OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { problemsOfResponsesRequest } from '../../../../../test/wire/responses_request.js';
import type { OfferedTool } from '../port.js';
import { responsesBodyMaker, type ResponsesStyle } from './to_responses.js';

type Body = OpenAI.Responses.ResponseCreateParams;
type WireItem = OpenAI.Responses.ResponseInputItem;

const style: ResponsesStyle = {
  options: { model: 'gpt-x', maxOutputTokens: null, params: {} },
  acceptsImages: true,
};

interface More {
  tools?: OfferedTool[];
  stream?: boolean;
  style?: Partial<ResponsesStyle>;
}

/** The body as it goes out; every one of them is held to the form of the protocol. */
function bodyOf(messages: Message[], more: More = {}): Body {
  const make = responsesBodyMaker({ ...style, ...more.style });
  const request = { messages, tools: more.tools ?? [], stream: more.stream ?? false };
  const body: Body = JSON.parse(make(request).join(''));
  expect(problemsOfResponsesRequest(body)).toEqual([]);
  return body;
}

function wire(messages: Message[], changed: Partial<ResponsesStyle> = {}): readonly unknown[] {
  const { input } = bodyOf(messages, { style: changed });
  if (!Array.isArray(input)) throw new Error('the input is no list');
  return input;
}

const user: Message = { role: 'user', content: 'Hello' };
const userItem = { type: 'message', role: 'user', content: 'Hello' } as const;
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
const callOf = (id: string, text = '{}', name = 'list_dir'): ToolCall => ({
  id,
  name,
  arguments: text,
});
const resultOf = (id: string, content = 'ok'): Message => ({
  role: 'tool',
  toolCallId: id,
  name: 'list_dir',
  content,
  status: 'ok',
});
const asks = (calls: ToolCall[], more: Partial<AssistantMessage> = {}): Message => ({
  role: 'assistant',
  content: '',
  toolCalls: calls,
  ...more,
});
const saidItem = (text: string, number: number): OpenAI.Responses.ResponseOutputMessage => ({
  type: 'message',
  id: `msg_${number}`,
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [] }],
});

describe('the body', () => {
  it('has only what is needed, and stores nothing', () => {
    expect(bodyOf([user])).toEqual({
      model: 'gpt-x',
      store: false,
      input: [userItem],
    } satisfies Body);
  });

  it('carries the parameters that the protocol knows, under its names', () => {
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
    expect(bodyOf([user], { style: { options }, stream: true })).toEqual({
      model: 'gpt-x',
      store: false,
      max_output_tokens: 100,
      temperature: 0.5,
      top_p: 0.9,
      reasoning: { effort: 'low', summary: 'auto' },
      include: ['reasoning.encrypted_content'],
      input: [userItem],
      stream: true,
    } satisfies Body);
  });

  it('raises a limit that is too small for the protocol', () => {
    const options = { model: 'gpt-x', maxOutputTokens: 5, params: {} };
    expect(bodyOf([user], { style: { options } }).max_output_tokens).toBe(16);
  });

  it('offers flat tools that are not strict, and no empty list of tools', () => {
    expect(bodyOf([user], { tools: [listDir] }).tools).toEqual([
      {
        type: 'function',
        name: 'list_dir',
        description: 'Lists a folder.',
        parameters: {
          type: 'object',
          properties: { path: { type: 'string' } },
          additionalProperties: false,
        },
        strict: false,
      },
    ] satisfies Body['tools']);
    expect(bodyOf([user])).not.toHaveProperty('tools');
  });

  it('gives a tool without parameters an object schema', () => {
    const tool = { name: 'now', description: 'Tells the time.', parameters: {} };
    expect(bodyOf([user], { tools: [tool] }).tools?.[0]).toMatchObject({
      parameters: { type: 'object', properties: {} },
    });
  });

  it('serialises tools and messages once, however long the history', () => {
    let reads = 0;
    const counted = {
      name: 'counted',
      get description() {
        reads++;
        return 'Counts.';
      },
      parameters: {},
    };
    const messages = Array.from({ length: 1000 }, (_, index): Message => ({
      role: index % 2 === 0 ? 'user' : 'assistant',
      get content() {
        reads++;
        return `Message ${index}`;
      },
    }));
    const make = responsesBodyMaker(style);
    const first = make({ messages: [...messages, user], tools: [counted], stream: false });
    expect(reads).toBeGreaterThan(1000);
    const after = reads;
    const second = make({ messages: [...messages, user], tools: [counted], stream: false });
    expect(second).toEqual(first);
    expect(reads).toBe(after);
  });
});

describe('system messages', () => {
  it('become the instructions where they lead', () => {
    const body = bodyOf([
      { role: 'system', content: 'Be kind.' },
      { role: 'system', content: '  ' },
      { role: 'system', content: 'Be brief.' },
      user,
    ]);
    expect(body.instructions).toBe('Be kind.\n\nBe brief.');
    expect(body.input).toEqual([userItem]);
  });

  it('become marked user messages later on', () => {
    expect(wire([user, { role: 'system', content: 'The budget is spent.' }]).at(-1)).toEqual({
      type: 'message',
      role: 'user',
      content: '[System note]\nThe budget is spent.',
    } satisfies WireItem);
  });
});

describe('what the assistant said', () => {
  it('is an output message with an id of its own', () => {
    const messages: Message[] = [
      user,
      { role: 'assistant', content: 'One.' },
      user,
      { role: 'assistant', content: 'Two.' },
      user,
    ];
    expect(wire(messages)).toEqual([
      userItem,
      saidItem('One.', 1),
      userItem,
      saidItem('Two.', 2),
      userItem,
    ] satisfies WireItem[]);
  });

  it('stands in front of the calls it was said beside', () => {
    const messages = [user, asks([callOf('a')], { content: 'Wait.' }), resultOf('a')];
    expect(wire(messages).slice(1, 3)).toEqual([
      saidItem('Wait.', 1),
      { type: 'function_call', call_id: 'a', name: 'list_dir', arguments: '{}' },
    ] satisfies WireItem[]);
  });
});

describe('calls and results', () => {
  it('of one answer: all calls, then all results', () => {
    const messages: Message[] = [
      user,
      asks([callOf('call_1', '{"path":"."}'), callOf('call_2', '')]),
      resultOf('call_1', 'a.txt'),
      resultOf('call_2', ''),
    ];
    expect(wire(messages)).toEqual([
      userItem,
      { type: 'function_call', call_id: 'call_1', name: 'list_dir', arguments: '{"path":"."}' },
      { type: 'function_call', call_id: 'call_2', name: 'list_dir', arguments: '{}' },
      { type: 'function_call_output', call_id: 'call_1', output: 'a.txt' },
      { type: 'function_call_output', call_id: 'call_2', output: '(no output)' },
    ] satisfies WireItem[]);
  });

  it.each([
    ['cut off', '{"path": "a', '{"unparsable_arguments":"{\\"path\\": \\"a"}'],
    ['a list', '[1]', '{"unparsable_arguments":"[1]"}'],
    ['blank', ' ', '{}'],
  ])('are an object on the wire when the arguments are %s', (_what, given, sent) => {
    const items = wire([user, asks([callOf('c', given)]), resultOf('c')]);
    expect(items[1]).toMatchObject({ arguments: sent });
  });

  it('have ids of at most 64 characters, alike on both sides', () => {
    const id = `toolu_${'x'.repeat(80)}`;
    const [, call, result] = wire([user, asks([callOf(id)]), resultOf(id)]);
    expect(call).toMatchObject({ call_id: id.slice(0, 64) });
    expect(result).toMatchObject({ call_id: id.slice(0, 64) });
  });

  it('have unique ids even where a server gave one id twice', () => {
    const round = (content: string) => [asks([callOf('a')]), resultOf('a', content)];
    const items = wire([user, ...round('one'), ...round('two')]);
    expect(items.slice(1)).toMatchObject([
      { call_id: 'a' },
      { call_id: 'a', output: 'one' },
      { call_id: 'a_2' },
      { call_id: 'a_2', output: 'two' },
    ]);
  });

  it('keep ids in foreign forms that are legal', () => {
    const id = 'functions.list_dir:0';
    expect(wire([user, asks([callOf(id)]), resultOf(id)])[1]).toMatchObject({ call_id: id });
  });

  it('have names that a provider accepts, even those a model made up', () => {
    const calls = [callOf('a', '{}', 'read file!'), callOf('b', '{}', '')];
    const items = wire([user, asks(calls), resultOf('a'), resultOf('b')]);
    expect(items.slice(1, 3)).toMatchObject([{ name: 'read_file_' }, { name: 'unknown' }]);
  });
});

describe('reasoning', () => {
  const sealedBy = (protocol: string, model: string, id = 'rs_1'): Partial<AssistantMessage> => ({
    reasoning: 'I had better look.',
    sealedReasoning: {
      protocol,
      model,
      items: [
        {
          type: 'reasoning',
          id,
          status: 'completed',
          summary: [{ type: 'summary_text', text: 'I had better look.' }],
          encrypted_content: 'c2VhbGVk',
        },
      ],
    },
  });
  const turn = (more: Partial<AssistantMessage>) => [
    user,
    asks([callOf('a')], more),
    resultOf('a'),
  ];

  it('that is this model’s own goes back in front of its calls, with what may be sent', () => {
    expect(wire(turn(sealedBy('openai_responses', 'gpt-x'))).slice(0, 3)).toEqual([
      userItem,
      {
        type: 'reasoning',
        id: 'rs_1',
        summary: [{ type: 'summary_text', text: 'I had better look.' }],
        encrypted_content: 'c2VhbGVk',
      },
      { type: 'function_call', call_id: 'a', name: 'list_dir', arguments: '{}' },
    ] satisfies WireItem[]);
  });

  it('stays in front where the calls have to be renamed', () => {
    const own = sealedBy('openai_responses', 'gpt-x');
    const id = 'x'.repeat(70);
    const items = wire([user, asks([callOf(id)], own), resultOf(id)]);
    expect(items.slice(1)).toMatchObject([
      { type: 'reasoning' },
      { call_id: id.slice(0, 64) },
      { call_id: id.slice(0, 64) },
    ]);
  });

  it.each([
    ['another model', sealedBy('openai_responses', 'gpt-y')],
    ['another protocol', sealedBy('anthropic_messages', 'gpt-x')],
    ['nobody, unsealed', { reasoning: 'I had better look.' }],
    [
      'a proxy, with an id that would be refused',
      sealedBy('openai_responses', 'gpt-x', '='.repeat(400)),
    ],
  ])('of %s is left out', (_whose, more) => {
    expect(wire(turn(more))).toEqual(wire(turn({})));
  });

  it('without calls is left out: nothing needs it any more', () => {
    const own = sealedBy('openai_responses', 'gpt-x');
    const messages: Message[] = [user, { role: 'assistant', content: 'Well.', ...own }, user];
    expect(wire(messages)).toEqual([userItem, saidItem('Well.', 1), userItem]);
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
    expect(wire(messages)).toEqual([{ ...userItem, content: 'Hi' }]);
  });

  it('ends with a user or tool turn', () => {
    const ending = { ...userItem, content: 'Continue.' };
    expect(wire([user, { role: 'assistant', content: 'Well' }]).at(-1)).toEqual(ending);
    expect(wire([{ role: 'system', content: 'Be kind.' }]).at(-1)).toEqual(ending);
    expect(wire([]).at(-1)).toEqual(ending);
    expect(wire([user]).at(-1)).toEqual(userItem);
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

  it('go as input_image to a model that sees', () => {
    expect(wire([picture])).toEqual([
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: 'What is this?' },
          { type: 'input_image', detail: 'auto', image_url: 'data:image/png;base64,AAAA' },
          { type: 'input_text', text: `[Attached file ${fileId}]` },
        ],
      },
    ] satisfies WireItem[]);
  });

  it('become lines of text for a model that reads only text', () => {
    expect(wire([picture], { acceptsImages: false })).toEqual([
      {
        ...userItem,
        content: `What is this?\n\n[An image was attached here. This model reads text only.]\n\n[Attached file ${fileId}]`,
      },
    ]);
  });
});
