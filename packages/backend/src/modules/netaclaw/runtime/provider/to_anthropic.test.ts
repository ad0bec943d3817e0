import type Anthropic from '@anthropic-ai/sdk';
import type { AssistantMessage, ChannelParams, Message, ToolMessage } from '@netaclaw/contracts';
import { describe, expect, it } from 'vitest';
import { problemsOfAnthropicRequest } from '../../../../../test/wire/anthropic_request.js';
import { repairHistory } from '../history.js';
import type { ModelRequest, OfferedTool } from '../port.js';
import { anthropicBodyMaker, type AnthropicStyle } from './to_anthropic.js';

/** The official types have forgotten the parameter that older models still take. */
type Body = Anthropic.MessageCreateParams & { temperature?: number };
type Turn = Anthropic.MessageParam;

const MODEL = 'claude-sonnet-4-5';
const style: AnthropicStyle = {
  options: { model: MODEL, maxOutputTokens: 100, params: {} },
  acceptsImages: true,
};
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

interface More extends Partial<AnthropicStyle> {
  request?: Partial<ModelRequest>;
  params?: ChannelParams;
  maxOutputTokens?: number | null;
}

/** The body on the wire; a test fails when it is no valid request. */
function bodyOf(
  messages: Message[],
  { request, params, maxOutputTokens = 100, ...more }: More = {},
) {
  const options = { model: MODEL, maxOutputTokens, params: params ?? {} };
  const make = anthropicBodyMaker({ ...style, options, ...more });
  const text = make({ messages, tools: [listDir], stream: false, ...request }).join('');
  const body: Body = JSON.parse(text);
  expect(problemsOfAnthropicRequest(body)).toEqual([]);
  return body;
}
const wire = (messages: Message[], more: More = {}) => bodyOf(messages, more).messages;

const user: Message = { role: 'user', content: 'Hello' };
const hello = { role: 'user', content: [{ type: 'text', text: 'Hello' }] } satisfies Turn;
const call = (id: string, args = '{"path":"."}') => ({ id, name: 'list_dir', arguments: args });
const asks = (...toolCalls: NonNullable<AssistantMessage['toolCalls']>): AssistantMessage => ({
  role: 'assistant',
  content: '',
  toolCalls,
});
const result = (toolCallId: string, more: Partial<ToolMessage> = {}): ToolMessage => ({
  role: 'tool',
  toolCallId,
  name: 'list_dir',
  content: 'a.txt',
  status: 'ok',
  ...more,
});
const use = (id: string, input: object = { path: '.' }) =>
  ({ type: 'tool_use', id, name: 'list_dir', input }) as const;
const answer = (id: string) =>
  ({ type: 'tool_result', tool_use_id: id, content: 'a.txt' }) as const;
const words = (text: string) => ({ type: 'text', text }) as const;

describe('the body', () => {
  it('has only what is needed', () => {
    expect(bodyOf([user], { request: { tools: [] } })).toEqual({
      model: MODEL,
      max_tokens: 100,
      messages: [hello],
    } satisfies Body);
  });

  it('has everything in its place', () => {
    const system: Message = { role: 'system', content: 'Be kind.' };
    const body = bodyOf([system, user], {
      params: { temperature: 0.5 },
      request: { stream: true },
    });
    expect(body).toEqual({
      model: MODEL,
      max_tokens: 100,
      temperature: 0.5,
      system: [words('Be kind.')],
      messages: [hello],
      tools: [
        {
          name: 'list_dir',
          description: 'Lists a folder.',
          input_schema: {
            type: 'object',
            properties: { path: { type: 'string' } },
            additionalProperties: false,
          },
        },
      ],
      stream: true,
    } satisfies Body);
  });

  it('gives a tool without parameters an object schema', () => {
    const tool = { name: 'now', description: 'Tells the time.', parameters: {} };
    expect(bodyOf([user], { request: { tools: [tool] } }).tools?.[0]).toMatchObject({
      input_schema: { type: 'object', properties: {} },
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
    const make = anthropicBodyMaker(style);
    const request = { messages: [message], tools: [counted], stream: false };
    const first = make(request);
    const after = reads;
    expect(make(request)).toEqual(first);
    expect(reads).toBe(after);
  });

  it('is put together from what a long history already has', () => {
    const history: Message[] = Array.from({ length: 500 }, (_, at) => [
      asks(call(`c${at}`)),
      result(`c${at}`),
    ]).flat();
    const make = anthropicBodyMaker(style);
    const request = { messages: [user, ...history], tools: [listDir], stream: false };
    const first = make(request);
    const second = make({ ...request, messages: [...request.messages, user] });
    expect(second.length).toBe(first.length + 2);
    expect(JSON.parse(second.join('')).messages).toHaveLength(1001);
  });
});

describe('system messages', () => {
  it('become `system` where they lead, without the blank ones', () => {
    const messages: Message[] = [
      { role: 'system', content: 'Be kind.' },
      { role: 'system', content: '  ' },
      { role: 'system', content: 'Be brief.' },
      user,
    ];
    const body = bodyOf(messages);
    expect(body.system).toEqual([words('Be kind.'), words('Be brief.')]);
    expect(body.messages).toEqual([hello]);
  });

  it('leave no field when all are blank', () => {
    expect(bodyOf([{ role: 'system', content: ' ' }, user])).not.toHaveProperty('system');
  });

  it('become a marked text of the user’s turn later on', () => {
    const late: Message = { role: 'system', content: 'The budget is spent.' };
    expect(wire([user, late])).toEqual([
      { role: 'user', content: [words('Hello'), words('[System note]\nThe budget is spent.')] },
    ] satisfies Turn[]);
  });

  it('differ on the wire as one object in both places', () => {
    const note: Message = { role: 'system', content: 'Be kind.' };
    const body = bodyOf([note, user, note]);
    expect(body.system).toEqual([words('Be kind.')]);
    expect(body.messages).toEqual([
      { role: 'user', content: [words('Hello'), words('[System note]\nBe kind.')] },
    ]);
  });
});

describe('turns', () => {
  it('of one role in a row are one', () => {
    const messages: Message[] = [
      user,
      { role: 'user', content: 'Are you there?' },
      { role: 'assistant', content: 'Yes.' },
      { role: 'assistant', content: 'Go on.' },
      user,
    ];
    expect(wire(messages)).toEqual([
      { role: 'user', content: [words('Hello'), words('Are you there?')] },
      { role: 'assistant', content: [words('Yes.'), words('Go on.')] },
      hello,
    ] satisfies Turn[]);
  });

  it('begin and end with the user', () => {
    const goOn = { role: 'user', content: [words('Continue.')] };
    expect(wire([{ role: 'assistant', content: 'Hi.' }])).toEqual([
      goOn,
      { role: 'assistant', content: [words('Hi.')] },
      goOn,
    ]);
    expect(wire([])).toEqual([goOn]);
    expect(wire([{ role: 'system', content: 'Be kind.' }])).toEqual([goOn]);
  });

  it('have no blank messages and parts', () => {
    const messages: Message[] = [
      { role: 'user', content: '  ' },
      { role: 'assistant', content: '\n' },
      { role: 'system', content: '' },
      {
        role: 'user',
        content: [
          { type: 'text', text: ' ' },
          { type: 'text', text: 'Hello' },
        ],
      },
    ];
    expect(wire(messages)).toEqual([hello]);
  });
});

describe('calls and results', () => {
  it('of one answer are in one following user turn, results before other text', () => {
    const messages: Message[] = [
      user,
      { ...asks(call('a'), call('b'), call('c')), content: 'I look.', reasoning: 'Hm.' },
      result('a'),
      result('b'),
      result('c'),
      { role: 'system', content: 'Be quick.' },
    ];
    expect(wire(messages)).toEqual([
      hello,
      { role: 'assistant', content: [words('I look.'), use('a'), use('b'), use('c')] },
      {
        role: 'user',
        content: [answer('a'), answer('b'), answer('c'), words('[System note]\nBe quick.')],
      },
    ] satisfies Turn[]);
  });

  it('come first though other text stood before them', () => {
    const note: Message = { role: 'system', content: 'Be quick.' };
    const messages = [
      user,
      asks(call('a'), call('b'), call('c')),
      note,
      result('a'),
      user,
      result('b'),
      result('c'),
    ];
    expect(wire(messages)[2]).toEqual({
      role: 'user',
      content: [
        answer('a'),
        answer('b'),
        answer('c'),
        words('[System note]\nBe quick.'),
        words('Hello'),
      ],
    } satisfies Turn);
  });

  it('stay with their round', () => {
    const messages = [user, asks(call('a')), result('a'), asks(call('b')), result('b')];
    expect(wire(messages)).toEqual([
      hello,
      { role: 'assistant', content: [use('a')] },
      { role: 'user', content: [answer('a')] },
      { role: 'assistant', content: [use('b')] },
      { role: 'user', content: [answer('b')] },
    ] satisfies Turn[]);
  });

  it.each(['error', 'refused', 'cancelled', 'timeout'] as const)('are marked when %s', (status) => {
    const turns = wire([user, asks(call('a')), result('a', { status })]);
    expect(turns.at(-1)?.content).toEqual([{ ...answer('a'), is_error: true }]);
  });

  it('say so when there was no output', () => {
    const turns = wire([user, asks(call('a')), result('a', { content: ' ' })]);
    expect(turns.at(-1)?.content).toEqual([{ ...answer('a'), content: '(no output)' }]);
  });

  it.each([
    ['cut off', '{"path": "a', { unparsable_arguments: '{"path": "a' }],
    ['a list', '[1]', { unparsable_arguments: '[1]' }],
    ['null', 'null', { unparsable_arguments: 'null' }],
    ['blank', ' ', {}],
  ])('have an object as input when the arguments are %s', (_what, given, sent) => {
    const turns = wire([user, asks(call('a', given)), result('a')]);
    expect(turns[1]?.content).toEqual([use('a', sent)]);
  });

  it('have legal ids that are alike on both sides', () => {
    const id = 'functions.list_dir:0';
    const long = 'x'.repeat(70);
    const turns = wire([user, asks(call(id), call(long)), result(id), result(long)]);
    const legal = ['functions_list_dir_0', 'x'.repeat(64)] as const;
    expect(turns[1]?.content).toEqual(legal.map((each) => use(each)));
    expect(turns[2]?.content).toEqual(legal.map((each) => answer(each)));
  });

  it('have ids that are unique in the whole conversation', () => {
    const messages = [user, asks(call('a')), result('a'), asks(call('a')), result('a')];
    const turns = wire(messages);
    expect(turns[3]?.content).toEqual([use('a_2')]);
    expect(turns[4]?.content).toEqual([answer('a_2')]);
  });

  it('have names that the provider accepts, even those a model made up', () => {
    const made = { ...call('a'), name: 'read file!' };
    expect(wire([user, asks(made), result('a')])[1]?.content).toEqual([
      { ...use('a'), name: 'read_file_' },
    ]);
  });
});

describe('tools that are not offered any more', () => {
  const messages = [
    user,
    asks(call('a'), { ...call('b'), name: 'now' }),
    result('a'),
    result('b'),
    asks(call('c')),
    result('c'),
  ];

  it('are declared by name and forbidden when the conversation has calls', () => {
    const body = bodyOf(messages, { request: { tools: [] } });
    expect(body.tools).toEqual([
      { name: 'list_dir', input_schema: { type: 'object' } },
      { name: 'now', input_schema: { type: 'object' } },
    ] satisfies Body['tools']);
    expect(body.tool_choice).toEqual({ type: 'none' });
  });

  it('are left alone when others are offered', () => {
    const body = bodyOf(messages);
    expect(body.tools).toHaveLength(1);
    expect(body).not.toHaveProperty('tool_choice');
  });

  it('need no word in a conversation without calls', () => {
    const body = bodyOf([user], { request: { tools: [] } });
    expect(body).not.toHaveProperty('tools');
    expect(body).not.toHaveProperty('tool_choice');
  });
});

describe('images and files', () => {
  const fileId = '0b8f7c1e-6a55-4d8a-9a6e-2f1f6f0c9f10';
  const shown = (url: string, acceptsImages = true) =>
    wire([{ role: 'user', content: [{ type: 'image', url }] }], { acceptsImages })[0]?.content;

  it.each(['png', 'jpeg', 'gif', 'webp'])('go as data: %s', (kind) => {
    const media_type = `image/${kind}`;
    expect(shown(`data:${media_type};base64,AAAA`)).toEqual([
      { type: 'image', source: { type: 'base64', media_type, data: 'AAAA' } },
    ]);
  });

  it('go as data under the name the provider knows', () => {
    expect(shown('data:image/JPG;base64,AAAA')).toMatchObject([
      { source: { media_type: 'image/jpeg' } },
    ]);
  });

  it('go by their address', () => {
    const url = 'https://example.com/a.png';
    expect(shown(url)).toEqual([{ type: 'image', source: { type: 'url', url } }]);
  });

  it.each(['data:image/tiff;base64,AAAA', 'data:image/png,AAAA', 'ftp://example.com/a.png'])(
    'become a line of text when they are %s',
    (url) => {
      expect(shown(url)).toEqual([words(expect.stringMatching(/format.*cannot read/))]);
    },
  );

  it('become lines of text for a model that reads only text', () => {
    const content: Message['content'] = [
      { type: 'text', text: 'What is this?' },
      { type: 'image', url: 'data:image/png;base64,AAAA' },
      { type: 'file', fileId },
    ];
    const message: Message = { role: 'user', content };
    expect(wire([message], { acceptsImages: false })[0]?.content).toEqual([
      words('What is this?'),
      words('[An image was attached here. This model reads text only.]'),
      words(`[Attached file ${fileId}]`),
    ]);
    expect(wire([message])[0]?.content).toMatchObject([{}, { type: 'image' }, {}]);
  });
});

describe('sealed reasoning', () => {
  const items = [
    { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
    { type: 'redacted_thinking', data: 'ZGF0YQ==' },
  ];
  const sealed = { protocol: 'anthropic_messages', model: MODEL, items };
  const done: Message = { role: 'assistant', content: 'Done.' };
  const thought = { ...asks(call('a')), content: 'I look.', sealedReasoning: sealed };

  it('goes in front of the calls it led to, as it came', () => {
    expect(wire([user, thought, result('a')])[1]?.content).toEqual([
      ...items,
      words('I look.'),
      use('a'),
    ]);
  });

  it('goes along with calls that had to be renamed', () => {
    const renamed = { ...thought, toolCalls: [call('a.b')] };
    expect(wire([user, renamed, result('a.b')])[1]?.content).toEqual([
      ...items,
      words('I look.'),
      use('a_b'),
    ]);
  });

  it.each([
    ['another protocol', { ...sealed, protocol: 'openai_responses' }],
    ['another model', { ...sealed, model: 'claude-opus-4-5' }],
  ])('of %s is dropped', (_whose, sealedReasoning) => {
    const turns = wire([user, { ...thought, sealedReasoning }, result('a')]);
    expect(turns[1]?.content).toEqual([words('I look.'), use('a')]);
  });

  it('is sent to its own model though another was asked in between', () => {
    const messages = [user, thought, result('a')];
    const other = { ...style.options, model: 'claude-opus-4-5' };
    wire(messages, { options: other });
    expect(wire(messages)[1]?.content).toMatchObject([...items, {}, {}]);
    expect(wire(messages, { options: other })[1]?.content).toHaveLength(2);
  });

  it('is left out beside words alone', () => {
    const spoken: Message = { role: 'assistant', content: 'Well.', sealedReasoning: sealed };
    expect(wire([user, spoken, user])[1]?.content).toEqual([words('Well.')]);
  });

  it.each<[string, Message[], boolean]>([
    ['behind its own thinking', [user, thought, result('a')], true],
    ['behind calls of another model', [user, asks(call('a')), result('a')], false],
    ['in a new turn behind such calls', [user, asks(call('a')), result('a'), done, user], true],
    [
      'where words stand before the thinking',
      [user, { role: 'assistant', content: 'Wait.' }, thought, result('a')],
      false,
    ],
  ])('decides whether a budget of thinking can be asked for: %s', (_where, messages, isAsked) => {
    const params = { reasoningEffort: 'low', temperature: 0.5 } as const;
    const body = bodyOf(messages, { maxOutputTokens: null, params });
    expect(body.thinking !== undefined).toBe(isAsked);
    expect(body.temperature).toBe(isAsked ? undefined : 0.5);
  });
});

describe('any repaired history', () => {
  /** The same numbers each time, from 0 up to but without `below`. */
  function numbers(seed: number): (below: number) => number {
    let state = seed * 2_654_435_761 + 1;
    return (below) => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor(state / 65_536) % below;
    };
  }

  function anyHistory(pick: (below: number) => number): Message[] {
    const words = () => ['', ' ', 'Hello', '{"a":1}'][pick(4)] ?? '';
    const id = () => ['a', 'b', 'c', 'a.b', 'a_b', '', 'x'.repeat(70), '日本'][pick(8)] ?? '';
    const status = () => (['ok', 'error', 'timeout'] as const)[pick(3)] ?? 'ok';
    const items = [{ type: 'thinking', thinking: 'Hm', signature: 'c2ln' }];
    const model = () => [MODEL, 'other'][pick(2)] ?? MODEL;
    const seal = () => ({ protocol: 'anthropic_messages', model: model(), items });
    const answered = (message: AssistantMessage): Message[] => [
      message,
      ...(message.toolCalls ?? [])
        .filter(() => pick(5) > 0)
        .map((asked) => result(asked.id, { content: words(), status: status() })),
    ];
    /** Ids of one answer differ, as the loop sees to. */
    const two = () => {
      const [one, other] = [id(), id()];
      return one === other ? [call(one, words())] : [call(one, words()), call(other, words())];
    };
    const makers: (() => Message[])[] = [
      () => [{ role: 'user', content: words() }],
      () => [{ role: 'user', content: [{ type: 'text', text: words() }] }],
      () => [{ role: 'assistant', content: words() }],
      () => [{ role: 'assistant', content: words(), sealedReasoning: seal() }],
      () => answered({ ...asks(...two()), content: words() }),
      () => answered({ ...asks(call(id(), words())), sealedReasoning: seal() }),
      () => [result(id(), { content: words(), status: status() })],
    ];
    const history = Array.from({ length: pick(12) }, () => makers[pick(makers.length)]?.() ?? []);
    return repairHistory(history.flat());
  }

  it.each(Array.from({ length: 300 }, (_, seed) => seed))('is a valid request (%i)', (seed) => {
    const pick = numbers(seed);
    const system: Message = { role: 'system', content: ['Be kind.', ' '][pick(2)] ?? '' };
    const messages = [system, ...anyHistory(pick), ...(pick(2) === 0 ? [system] : [])];
    const params: ChannelParams = pick(2) === 0 ? { reasoningEffort: 'low' } : {};
    const request = { tools: pick(2) === 0 ? [] : [listDir] };
    expect(bodyOf(messages, { maxOutputTokens: null, params, request }).max_tokens).toBeGreaterThan(
      0,
    );
  });
});
