// A model that answers at once: `CALL <tool> <json>` in the newest user message is called, a tool result is
// answered with text, `DELEGATE <n>` is delegated to n members at once, a tail `TOKENS <n>` makes that text n tokens long,
// and `PACE <ms>` sends a streamed one token by token so far apart.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { z } from 'zod';
import { serveAsChild } from './child.js';

const requestSchema = z.object({
  stream: z.boolean().optional(),
  tools: z.array(z.unknown()).optional(),
  messages: z.array(z.object({ role: z.string(), content: z.unknown() })),
});
type Request = z.infer<typeof requestSchema>;

interface Plan {
  calls: { name: string; arguments: string }[];
  tokens: number;
  /** Milliseconds between streamed tokens. */
  pace: number;
}

function planOf({ messages, tools = [] }: Request): Plan {
  const last = messages.at(-1);
  const user = String(messages.findLast(({ role }) => role === 'user')?.content ?? '');
  const call = /CALL (\w+) (\{.*?\})/.exec(user);
  const tokens = Number(/TOKENS (\d+)/.exec(user)?.[1] ?? 8);
  const pace = Number(/PACE (\d+)/.exec(user)?.[1] ?? 0);
  const members = Number(/DELEGATE (\d+)/.exec(user)?.[1] ?? 0);
  if (tools.length === 0 || last?.role !== 'user') return { calls: [], tokens, pace };
  if (members > 0) return { calls: Array.from({ length: members }, delegation), tokens, pace };
  return { calls: call ? [{ name: call[1] ?? '', arguments: call[2] ?? '{}' }] : [], tokens, pace };
}

const delegation = (_: unknown, index: number) => ({
  name: `delegate_member_${index}`,
  arguments: JSON.stringify({ task: `Do part ${index}.` }),
});

let count = 0;
const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };

function callOf(plan: Plan) {
  if (plan.calls.length === 0) return undefined;
  return plan.calls.map((call, index) => {
    count += 1;
    return { index, id: `call_${count}`, type: 'function', function: call };
  });
}

function whole(plan: Plan): string {
  const toolCalls = callOf(plan);
  return JSON.stringify({
    id: 'bench',
    object: 'chat.completion',
    created: 0,
    model: 'bench',
    choices: [
      {
        index: 0,
        finish_reason: toolCalls ? 'tool_calls' : 'stop',
        message: toolCalls
          ? { role: 'assistant', content: null, tool_calls: toolCalls }
          : { role: 'assistant', content: 'token '.repeat(plan.tokens) },
      },
    ],
    usage,
  });
}

const chunk = (delta: unknown, finish: string | null = null, extra = {}): string =>
  `data: ${JSON.stringify({ id: 'bench', object: 'chat.completion.chunk', created: 0, model: 'bench', choices: [{ index: 0, delta, finish_reason: finish }], ...extra })}\n\n`;

function stream(response: ServerResponse, plan: Plan): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const toolCalls = callOf(plan);
  if (toolCalls) {
    response.end(
      `${chunk({ role: 'assistant', tool_calls: toolCalls })}${chunk({}, 'tool_calls', { usage })}data: [DONE]\n\n`,
    );
    return;
  }
  let sent = 0;
  const step = (): void => {
    if (response.destroyed) return;
    if (sent >= plan.tokens) {
      response.end(`${chunk({}, 'stop', { usage })}data: [DONE]\n\n`);
      return;
    }
    sent += 1;
    response.write(chunk({ content: 'token ' }));
    if (plan.pace > 0) setTimeout(step, plan.pace);
    else setImmediate(step);
  };
  step();
}

async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part);
  const request = requestSchema.parse(JSON.parse(Buffer.concat(parts).toString()));
  const plan = planOf(request);
  if (request.stream) {
    stream(response, plan);
    return;
  }
  const body = whole(plan);
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}

const server = createServer((incoming, response) => void answer(incoming, response));
server.keepAliveTimeout = 600_000;
serveAsChild(server);
