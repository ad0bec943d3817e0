import type Anthropic from '@anthropic-ai/sdk';
import { z } from 'zod';

/**
 * What is wrong with the body of a request to `/v1/messages`, as sentences; none when it is valid.
 * Written from the public reference of the Messages API and the errors it documents, and stricter in two
 * things: turns alternate, though the API would join neighbours itself, and fields that NetaClaw has no
 * use for are unknown here.
 */
export function problemsOfAnthropicRequest(body: unknown): string[] {
  const parsed = requestSchema.safeParse(body);
  if (!parsed.success) {
    return parsed.error.issues.flatMap((issue) => sentencesOf(issue, ''));
  }
  // The official types judge the schema: what it lets through must be a request to them.
  const request = parsed.data satisfies Anthropic.MessageCreateParams;
  return rules.flatMap((rule) => rule(request));
}

/** Of a union, the problems of the kind that was meant: the one that was followed deepest. */
function sentencesOf(issue: z.core.$ZodIssue, within: string): string[] {
  const path = [within, ...issue.path].filter((step) => step !== '').join('.');
  if (issue.code !== 'invalid_union') return [`${path}: ${issue.message}`];
  const kinds = issue.errors.map((inner) => inner.flatMap((each) => sentencesOf(each, path)));
  const depthOf = (sentences: readonly string[]): number =>
    Math.max(0, ...sentences.map((sentence) => sentence.split(': ')[0]?.split('.').length ?? 0));
  const [meant] = kinds.toSorted((one, other) => depthOf(other) - depthOf(one));
  return meant ?? [`${path}: ${issue.message}`];
}

const text = z.string().refine((value) => value.trim() !== '', 'text must not be blank');
const callId = z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/);
const name = z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/);
const mediaType = z.enum(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);

const textBlock = z.strictObject({ type: z.literal('text'), text });
const imageBlock = z.strictObject({
  type: z.literal('image'),
  source: z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('base64'), media_type: mediaType, data: z.base64().min(1) }),
    z.strictObject({ type: z.literal('url'), url: z.url({ protocol: /^https?$/ }) }),
  ]),
});
const resultBlock = z.strictObject({
  type: z.literal('tool_result'),
  tool_use_id: callId,
  content: z.union([text, z.array(z.union([textBlock, imageBlock])).min(1)]).optional(),
  is_error: z.boolean().optional(),
});
const thinkingBlock = z.strictObject({
  type: z.literal('thinking'),
  thinking: z.string(),
  signature: z.string().min(1),
});
const redactedBlock = z.strictObject({
  type: z.literal('redacted_thinking'),
  data: z.string().min(1),
});
const callBlock = z.strictObject({
  type: z.literal('tool_use'),
  id: callId,
  name,
  input: z.record(z.string(), z.unknown()),
});

const userTurn = z.strictObject({
  role: z.literal('user'),
  content: z.union([
    text,
    z.array(z.discriminatedUnion('type', [textBlock, imageBlock, resultBlock])).min(1),
  ]),
});
const assistantTurn = z.strictObject({
  role: z.literal('assistant'),
  content: z.union([
    text,
    z
      .array(z.discriminatedUnion('type', [textBlock, thinkingBlock, redactedBlock, callBlock]))
      .min(1),
  ]),
});

const requestSchema = z.strictObject({
  model: z.string().min(1),
  max_tokens: z.int().min(1),
  messages: z.array(z.discriminatedUnion('role', [userTurn, assistantTurn])).min(1),
  system: z.union([text, z.array(textBlock).min(1)]).optional(),
  tools: z
    .array(
      z.strictObject({
        name,
        description: z.string().optional(),
        input_schema: z.looseObject({ type: z.literal('object') }),
      }),
    )
    .min(1)
    .optional(),
  tool_choice: z.strictObject({ type: z.enum(['auto', 'none']) }).optional(),
  temperature: z.number().min(0).max(1).optional(),
  top_p: z.number().min(0).max(1).optional(),
  thinking: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('enabled'), budget_tokens: z.int().min(1024) }),
      z.strictObject({
        type: z.literal('adaptive'),
        display: z.enum(['summarized', 'omitted']).optional(),
      }),
    ])
    .optional(),
  output_config: z
    .strictObject({ effort: z.enum(['low', 'medium', 'high', 'xhigh', 'max']).optional() })
    .optional(),
  stream: z.boolean().optional(),
});
type Request = z.infer<typeof requestSchema>;
type Turn = Request['messages'][number];
type Block = Exclude<Turn['content'], string>[number];

const rules: readonly ((request: Request) => string[])[] = [
  turnsAlternate,
  callsAreAnswered,
  resultsComeFirst,
  callIdsAreUnique,
  toolsAreDeclared,
  samplingFits,
  thinkingFits,
];

const blocksOf = (turn: Turn | undefined): Block[] =>
  turn === undefined || typeof turn.content === 'string' ? [] : [...turn.content];
const callsOf = (turn: Turn | undefined): string[] =>
  blocksOf(turn).flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
const resultsOf = (turn: Turn | undefined): string[] =>
  blocksOf(turn).flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : []));

function turnsAlternate({ messages }: Request): string[] {
  const problems = messages.flatMap(({ role }, at) =>
    at > 0 && messages[at - 1]?.role === role ? [`messages.${at}: two turns of ${role}`] : [],
  );
  if (messages[0]?.role !== 'user') problems.push('messages.0: the first turn must be the user’s');
  if (messages.at(-1)?.role !== 'user') problems.push('the last turn must be the user’s');
  return problems;
}

function callsAreAnswered({ messages }: Request): string[] {
  return messages.flatMap((turn, at) => {
    const asked = callsOf(messages[at - 1]);
    const answered = resultsOf(turn);
    const twice = answered.filter((id, place) => answered.indexOf(id) !== place);
    return [
      ...asked.filter((id) => !answered.includes(id)).map((id) => `${id} has no result`),
      ...answered.filter((id) => !asked.includes(id)).map((id) => `${id} answers no call`),
      ...twice.map((id) => `${id} has two results`),
    ].map((problem) => `messages.${at}: ${problem}`);
  });
}

function resultsComeFirst({ messages }: Request): string[] {
  return messages.flatMap((turn, at) => {
    const kinds = blocksOf(turn).map(({ type }) => type === 'tool_result');
    const other = kinds.indexOf(false);
    return other >= 0 && kinds.lastIndexOf(true) > other
      ? [`messages.${at}: results must come first`]
      : [];
  });
}

function callIdsAreUnique({ messages }: Request): string[] {
  const ids = messages.flatMap((turn) => callsOf(turn));
  return ids
    .filter((id, place) => ids.indexOf(id) !== place)
    .map((id) => `the call id ${id} occurs twice`);
}

function toolsAreDeclared({ messages, tools, tool_choice }: Request): string[] {
  const names = tools?.map((tool) => tool.name) ?? [];
  const problems = names
    .filter((one, place) => names.indexOf(one) !== place)
    .map((one) => `the tool ${one} is declared twice`);
  const hasCalls = messages.some((turn) => callsOf(turn).length + resultsOf(turn).length > 0);
  if (hasCalls && tools === undefined) problems.push('calls and results need declared tools');
  if (tool_choice && tools === undefined) problems.push('tool_choice needs declared tools');
  return problems;
}

function samplingFits({ model, temperature, top_p }: Request): string[] {
  const problems: string[] = [];
  if (temperature !== undefined && top_p !== undefined) {
    problems.push('temperature and top_p must not be given both');
  }
  const isNewest = /claude-(opus-4-[78]|(opus|sonnet|haiku|fable|mythos)-5)/.test(model);
  if (isNewest && (temperature ?? top_p) !== undefined) {
    problems.push('this model takes no sampling parameters');
  }
  return problems;
}

function thinkingFits(request: Request): string[] {
  const { model, thinking, temperature, top_p, max_tokens, messages } = request;
  if (thinking === undefined) return [];
  const problems: string[] = [];
  if (temperature !== undefined && temperature !== 1) {
    problems.push('a model that thinks takes no temperature');
  }
  if (top_p !== undefined && top_p < 0.95) {
    problems.push('a model that thinks takes top_p from 0.95');
  }
  if (thinking.type === 'adaptive') return problems;
  if (thinking.budget_tokens >= max_tokens) problems.push('budget_tokens must be below max_tokens');
  if (/claude-(opus-4-[78]|(opus|sonnet|haiku|fable|mythos)-5)/.test(model)) {
    problems.push('this model takes no thinking budget');
  }
  const first = blocksOf(messages.at(-2))[0]?.type ?? '';
  if (resultsOf(messages.at(-1)).length > 0 && !first.endsWith('thinking')) {
    problems.push('the calls that are answered last must stand behind thinking');
  }
  return problems;
}
